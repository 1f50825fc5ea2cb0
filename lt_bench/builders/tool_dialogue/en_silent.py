"""What English customers say that needs no tool, or cannot be done without asking back."""

from __future__ import annotations

from typing import Final

SILENT: Final[dict[str, tuple[str, ...]]] = {
    # --- small talk
    "chat.thanks": (
        "[Thanks|Thank you], that's [all|everything] [I needed|for today].",
        "[Great|Perfect], you [helped|have helped] me a lot!",
        "That was quick, [thank you|thanks a bunch]!",
        "[OK|Alright], [nothing else|that's it] from me. Bye!",
        "You're a star, [have a nice|enjoy your] day!",
    ),
    "chat.robot": (
        "[Are you|Am I talking to] a [robot|machine|real person]?",
        "[Who|What] am I [speaking|writing] with here, a human?",
        "Is there a person [behind this chat|reading this]?",
        "Be honest: [computer|software] or human?",
    ),
    "chat.help": (
        "[What|What all] can you do for me[ here|]?",
        "[How|In what way] can you help[ me|]?",
        "First time here. What are you for?",
        "[Hello|Hi], what can I ask you?",
    ),
    "chat.mood": (
        "What a [lovely|rainy|grey] [day|Monday], isn't it?",
        "I've been shopping all day, [I'm worn out|my feet hurt].",
        "My [sister|neighbour] [loves|raves about] your shop.",
        "[Tell me a|Know any good] joke?",
        "Honestly, your new page looks [great|awful].",
    ),
    # --- rules
    "rule.shipping": (
        "[What|How much] does shipping cost[ for a small order|]?",
        "Are there delivery [fees|costs], and how high?",
        "Do I pay for [postage|the delivery] when I buy one [cheap|little] thing?",
        "What are your [delivery charges|shipping fees]?",
    ),
    "rule.free_from": (
        "[From what|From which] amount on is [shipping|delivery] free?",
        "How much [must|do] I [spend|buy] to get free [delivery|shipping]?",
        "When do you [ship|send things] for free?",
        "Is there a minimum for free [postage|delivery]?",
    ),
    "rule.window": (
        "[How long|How many days] do I have to [return|send back] something?",
        "[Until|Up to] when [can|may] I bring things back?",
        "What's your return [period|window]?",
        "If I don't like it, how much time [is there|have I got] to give it back?",
    ),
    "rule.postage": (
        "[What|How much] does [it cost|a return cost] if I simply [change my mind|don't like it]?",
        "Are returns free when I just [don't want|don't need] the thing?",
        "Who pays the postage when I [send|give] something back for no reason?",
        "Do you take [money|anything] off for a return without a fault?",
    ),
    "rule.coupon_one": (
        "[Can|May] I [use|combine] two coupons [on|in] one order?",
        "[How many|Do several] coupons [go on|work on] one order?",
        "I've got a few codes. Do they add up?",
        "Is stacking coupons [possible|allowed]?",
    ),
    "rule.quantity": (
        "[How many|What number] of the same [thing|article] can I order at once?",
        "Is there a [limit|maximum] for one article in an order?",
        "[Can|May] I buy [ten|a dozen] of one thing in one go?",
        "What's the most [pieces|units] of one variant you send in an order?",
    ),
    "rule.open_only": (
        "[Until when|How long] can I [change|cancel] an order?",
        "[Can|May] an order be [changed|stopped] once it has left you?",
        "When is it too late to cancel?",
        "Does cancelling still work after [dispatch|you've shipped]?",
    ),
    "rule.opened": (
        "Can all [goods|products] go back, [earphones|pillows] too?",
        "What about things that can't be returned - [no chance at all|is there no way]?",
        "Product page says returnable: false. When [would|do] you still take it?",
        "Are there [articles|goods] you never take back?",
    ),
    "rule.once": (
        "[Can|May] I exchange [the same|an] item [twice|two times]?",
        "I [swapped|exchanged] a thing before; could I swap it again?",
        "How often can one item of an order be exchanged?",
        "Is a second exchange of the same item possible?",
    ),
    "rule.difference": (
        "[What|What happens] if the other [colour|size] costs more?",
        "Do I get money back when the variant I take instead is cheaper?",
        "How is the price worked out when I swap [sizes|colours]?",
        "Exchanging for a dearer size: what do I pay?",
    ),
    "rule.cancel_refund": (
        "[How much|What] do I get back when I cancel?",
        "Is the shipping refunded with a cancelled order?",
        "If I cancel, do you keep anything?",
        "Full refund on cancelling, [yes or no|or not]?",
    ),
    "rule.coupon_once": (
        "[Can|May] I use the same coupon [again|a second time]?",
        "Does a code work for every order I [place|make]?",
        "I used my coupon last week; is it gone now?",
        "How often [does|can] one code count for me?",
    ),
    # --- what must be refused
    "no.two_coupons": (
        "Order {order} has {code} on it. [Put|Please put] {second} on top[ of that|].",
        "I [already used|have used] {code} on {order}; [add|now add] {second} as well.",
        "Besides {code}, [apply|also apply] {second} to {order}[, please|].",
        "{order} got {code} taken off. Now {second} too!",
    ),
    "no.many": (
        "[Order|Please order] {n} of the {product} in {variant} for me, in one order. I'm {customer}.",
        "I need {n} {product} in {variant}, all in a single order, customer {customer}.",
        "{customer} wants {n} pieces of the {product}, {variant}, [at once|in one go].",
        "Send {n} {product} ({variant}) with one order to {customer}.",
    ),
    "no.late": (
        "The {product} came {n} days ago with {order}. [Take|Please take] it back, I don't like it.",
        "I got {order} {n} days ago and now want to return the {product}[, no fault|].",
        "It's been {n} days since {order} was delivered; send the money for the {product} back.",
        "Return the {product} from {order}, please. I've had it for {n} days.",
    ),
    "no.abroad": (
        "[Send|Please send] {order} to my [aunt|brother] in {country} [instead|].",
        "[Can|Could] {order} go to an address in {country}?",
        "I live in {country} now, [redirect|forward] {order} there.",
        "Change the delivery of {order} to {country}, I'm moving.",
    ),
    "no.replace_coupon": (
        "[Take|Please take] {code} off {order} and put {second} on instead.",
        "{order} has {code}, [swap|exchange] that for {second}.",
        "Wrong code! {second} instead of {code} for {order}.",
        "I'd rather have {second} than {code} on {order}, change it.",
    ),
    "country": ("[France|Japan|Brazil|Norway|Kenya|Portugal|Mexico|Poland]",),
    # --- what no tool can do
    "out.gift": (
        "[Can|Could] you [wrap|gift-wrap] {order} [as a present|for a birthday]?",
        "Put a [card|note] saying happy birthday into {order}.",
        "I want {order} in [red|golden] paper with a bow.",
        "Please add a greeting card to {order}.",
    ),
    "out.carrier": (
        "[Can|Could] {order} come [by drone|at eight in the evening|on a Sunday morning]?",
        "Tell the driver of {order} to ring [twice|at the neighbour's].",
        "Let {carrier} deliver {order}, not the others.",
        "Make the driver call me before he brings {order}.",
    ),
    "out.homework": (
        "[Write|Please write] my [essay|homework] on [rivers|the moon landing].",
        "[What|How]'s the weather [tomorrow|this weekend]?",
        "[Who|Which team] won the match [yesterday|last night]?",
        "Translate a letter into [French|Greek] for me.",
        "Which shares should I buy?",
    ),
    # --- what is missing
    "lack.track": (
        "[Where is|Where's] my [order|parcel]?",
        "[When|What day] [does|will] my [parcel|order] [arrive|come]?",
        "I'm still waiting for my [delivery|goods]!",
        "[Track|Please track] my parcel.",
        "My order isn't here yet, can you look?",
    ),
    "lack.cancel": (
        "[Please cancel|Cancel] my order, {why}.",
        "{Why}, [stop|cancel] the order[ please|].",
        "I want to call my order off: {why}.",
        "Can you cancel it? {Why}.",
    ),
    "lack.reason": (
        "[Please cancel|Cancel] [order |]{order}.",
        "I [want|would like] to cancel {order}.",
        "{order} is to be cancelled[, please|].",
        "Can you call off {order} for me?",
        "Stop {order}, please.",
    ),
    "lack.return_reason": (
        "I [want|would like] to return the {product} from {order}.",
        "[Take|Please take] back the {product} of {order}.",
        "The {product} in {order} goes back.",
        "Return of the {product}, order {order}, please.",
    ),
    "lack.address": (
        "[Please change|Change] the address of {order}.",
        "{order} must go to [another|my new] address.",
        "I moved! [Can|Could] you correct the address on {order}?",
        "Where can I change the delivery address of {order}? Do it for me.",
    ),
    "lack.postcode": (
        "[Send|Please send] {order} to {street} in {city}.",
        "The new address for {order} is {street}, {city}.",
        "{order} goes to {city}, {street}, [please|OK]?",
        "Change the address of {order}: {street}, {city}.",
    ),
    "lack.customer": (
        "[Order|Please order] the {product} in {variant} for me, one piece.",
        "I'll [buy|take] one {product} in {variant}.",
        "One {product}, {variant}, please. [Send|Ship] it to me.",
        "Get me a {product} in {variant}.",
    ),
    "lack.code": (
        "[Use|Please use] my coupon on {order}.",
        "{order} should get a discount, I have a code.",
        "I forgot the coupon on {order}, [add|put] it on, please.",
        "Can you apply my voucher to {order}?",
    ),
    "lack.which": (
        "[Is it|Do you have it] in stock in {color}?",
        "[Can I get|Could I have] it in {color}?",
        "I'll take it in {color}, is it there?",
        "It should be in {color}. Is there one?",
    ),
    "lack.which_order": (
        "[Then cancel|Cancel] [it|the order], {why}.",
        "{Why}. [Please cancel|Cancel] my order.",
        "OK, call the order off, {why}.",
        "Please cancel that order: {why}.",
    ),
    "lack.variant": (
        "[Change|Please change] the {product} in {order} to another one.",
        "The {product} of {order} is the wrong one, change it.",
        "I don't like the {product} I picked in {order}; give me a different version.",
        "Can I swap the {product} in {order}, which is not shipped yet?",
    ),
    # --- what is known already
    "known.carrier": (
        "[Who|Which company] [was|did you say] the carrier[ again|]?",
        "[Sorry|Wait], who brings it?",
        "What was the name of the delivery firm?",
        "Remind me, which carrier?",
    ),
    "known.due": (
        "[What|Which] day was that again?",
        "Sorry, when did you say it [comes|arrives]?",
        "So I should be home on which date?",
        "Remind me when it's due.",
    ),
    "known.total": (
        "[How|Sorry, how] much was that [again|in total]?",
        "What did you say it comes to?",
        "Can you repeat the total?",
        "And the sum was...?",
    ),
    "known.cheaper": (
        "[Which|So which] of them is cheaper?",
        "Remind me, which one costs less?",
        "And the lower price was for...?",
        "Of those two, the cheaper one is which?",
    ),
    "known.done": (
        "[So it's|It is] [cancelled|called off] now, [yes|right]?",
        "Is the cancellation [through|done]?",
        "You did cancel it, didn't you?",
        "Just to be sure: no parcel will come?",
    ),
    "known.stock": (
        "[How|Sorry, how] many did you say there are?",
        "What was the number in stock again?",
        "And how many pieces was that?",
        "Repeat the stock for me, please.",
    ),
}
