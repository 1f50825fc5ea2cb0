"""How English-speaking viewers ask. {it} is a product, {other} a second one; no closing mark.

`ask.*` are sentences, `short.*` bare words after "this is what we are looking at", `mixed.*`
switch languages, `ref.*` are ways to point at a product, `lead.*` is what is typed first.
"""

from __future__ import annotations

from typing import Final

_PRICE = (
    "how much is {it}", "what's the price of {it}", "how much does {it} cost", "what does {it} cost",
    "how much for {it}", "can you tell me the price of {it}", "what do you want for {it}",
    "how much are you asking for {it}", "what's {it} going for", "price for {it} again|what's the price of {it}",
    "what did you say {it} costs|what does {it} cost", "what's {it} in this stream", "missed it, how much was {it}|how much is {it}",
    "is {it} expensive, what's the price", "what would I pay for {it}", "can you repeat the price of {it}|what's the price of {it}",
)  # fmt: skip

PHRASES: Final[dict[str, tuple[str, ...]]] = {
    "ask.price": _PRICE,
    "short.price": (
        "price|price of {it}|what's the price of {it}", "how much|how much for {it}|how much is {it}",
        "price please|price of {it} please|what's the price of {it}", "cost|cost of {it}|what does {it} cost",
        "what price|what price is {it}|what's the price of {it}", "how much again|how much was {it} again|how much is {it}",
    ),
    "mixed.price": (
        "cuánto cuesta {it}", "{it} 多少钱", "combien for {it}", "was kostet {it}", "quanto costa {it}",
        "price of {it} por favor", "{it} precio", "{it} kitna hai, price", "how much is {it} amigo", "{it} 价格",
    ),
    "ask.coupon": (
        "is there a coupon for {it}", "any discount on {it}|is there a discount on {it}", "do you have a code for {it}",
        "is {it} on sale, any code|is {it} on sale, is there a code",
        "what's the promo code for {it}", "which coupon works on {it}", "can I get {it} cheaper with a code",
        "any voucher for {it} today|is there a voucher for {it} today", "is there a live deal on {it}, which code",
    ),
    "short.coupon": (
        "any coupon|any coupon for {it}|is there a coupon for {it}", "coupon code|coupon code for {it}|what's the coupon code for {it}",
        "discount|discount on {it}|is there a discount on {it}", "any promo code|any promo code for {it}|is there a promo code for {it}",
        "voucher|voucher for {it}|is there a voucher for {it}", "code please|code for {it} please|what's the code for {it}",
    ),
    "mixed.coupon": ("hay descuento for {it}, what code|is there a discount on {it}, what code", "{it} 有优惠券吗", "any rabatt code for {it}", "code promo for {it}|what's the promo code for {it}"),
    "ask.coupon_price": (
        "how much is {it} with the coupon", "what's {it} after the discount", "what do I pay for {it} with the code",
        "price of {it} after coupon|what's the price of {it} after the coupon", "how low does {it} go with the code", "final price of {it} with the promo|what's the final price of {it} with the promo",
    ),
    "short.coupon_price": (
        "price with coupon|price of {it} with coupon|how much is {it} with the coupon", "after discount|{it} after discount|how much is {it} after the discount",
        "final price with code|final price of {it} with code|what's the final price of {it} with the code",
        "how much with the code|how much is {it} with the code|how much is {it} with the code",
    ),
    "mixed.coupon_price": ("{it} 券后多少钱", "price of {it} con descuento", "{it} avec le code, how much"),
    "ask.coupon_until": (
        "until when is the coupon for {it} valid", "how long does the deal on {it} last", "when does the code for {it} expire",
        "can I still use the code for {it} next week, until when", "last day for the coupon on {it}|what's the last day for the coupon on {it}",
    ),
    "short.coupon_until": (
        "coupon valid until when|coupon for {it} valid until when|until when is the coupon for {it} valid",
        "deal until when|deal on {it} until when|how long does the deal on {it} last",
        "when does the code end|when does the code for {it} end|when does the code for {it} end",
    ),
    "mixed.coupon_until": ("hasta cuándo is the coupon for {it} good", "{it} 优惠到什么时候"),
    "ask.stock": (
        "is {it} still in stock", "is {it} available", "do you still have {it}", "can I still get {it}", "is {it} sold out",
        "any of {it} left|is there any of {it} left", "is {it} back in stock", "did {it} sell out already", "can I order {it} now",
    ),
    "short.stock": (
        "in stock|{it} in stock|is {it} in stock", "still available|{it} still available|is {it} still available",
        "sold out|{it} sold out|is {it} sold out", "any left|any {it} left|is there any of {it} left", "available|{it} available|is {it} available",
    ),
    "mixed.stock": ("{it} 还有货吗", "todavía hay {it}", "is {it} noch da", "still have {it}, dispo"),
    "ask.left": (
        "how many of {it} are left", "how many pieces of {it} do you have", "what's the stock of {it}", "how many can I still get of {it}",
    ),
    "short.left": (
        "how many left|how many left of {it}|how many of {it} are left", "how many pieces left|how many pieces left of {it}|how many pieces of {it} are left",
        "stock left|stock left of {it}|how much stock of {it} is left",
    ),
    "mixed.left": ("{it} 还剩几件", "cuántos quedan of {it}"),
    "ask.variant": (
        "do you have {it} in {variant}", "is {it} available in {variant}", "is the {variant} of {it} in stock",
        "can I get {it} in {variant}", "any {variant} left of {it}|is there any {variant} left of {it}", "{it} in {variant}, still there|is {it} in {variant} still there",
    ),
    "short.variant": (
        "{variant}|{it} in {variant}|do you have {it} in {variant}", "{variant} in stock|{it} in {variant}, in stock|is {it} in stock in {variant}",
        "got {variant}|got {it} in {variant}|do you have {it} in {variant}", "{variant} left|any {variant} left of {it}|is there any {variant} left of {it}",
        "any in {variant}|{it} in {variant}, any left|is {it} available in {variant}",
    ),
    "mixed.variant": ("{it} in {variant} 有吗", "tienes {it} in {variant}"),
    "ask.shipping_time": (
        "how long does shipping take for {it}", "when would {it} arrive", "how fast do you deliver {it}", "how many days until I get {it}",
        "if I order {it} today when does it come", "delivery time for {it}|what's the delivery time for {it}", "how many days does {it} take to get here",
    ),
    "short.shipping_time": (
        "how long is shipping|how long is shipping for {it}|how long does shipping take for {it}",
        "delivery time|delivery time for {it}|what's the delivery time for {it}",
        "how many days to deliver|how many days to deliver {it}|how many days does it take to deliver {it}",
        "when does it arrive|when does {it} arrive|when does {it} arrive", "shipping time|shipping time for {it}|what's the shipping time for {it}",
    ),
    "mixed.shipping_time": ("{it} 几天到", "cuántos días for {it} to arrive", "lieferzeit for {it}"),
    "ask.shipping_cost": (
        "what's the shipping cost for {it}", "is shipping free for {it}", "how much is delivery for {it}", "do I pay shipping on {it}",
        "is postage included with {it}", "what do you charge to send {it}",
    ),
    "short.shipping_cost": (
        "shipping cost|shipping cost for {it}|what's the shipping cost for {it}", "free shipping|free shipping on {it}|is shipping free for {it}",
        "delivery fee|delivery fee for {it}|how much is delivery for {it}", "postage|postage for {it}|how much is the postage for {it}",
        "is shipping free|is shipping free for {it}|is shipping free for {it}",
    ),
    "mixed.shipping_cost": ("{it} 包邮吗|is shipping free for {it}", "envío gratis for {it}|is shipping free for {it}", "versand free for {it}|is shipping free for {it}"),
    "ask.ship_to": (
        "do you ship {it} to {place}", "can I get {it} delivered to {place}", "I'm in {place}, can you send me {it}",
        "does {it} ship to {place}", "would you post {it} to {place}",
    ),
    "short.ship_to": (
        "ship to {place}|ship {it} to {place}|do you ship {it} to {place}", "delivery to {place}|delivery of {it} to {place}|do you deliver {it} to {place}",
        "do you send to {place}|do you send {it} to {place}|do you send {it} to {place}", "{place} too|{it} to {place} too|do you ship {it} to {place} too",
    ),
    "mixed.ship_to": ("envían {it} a {place}", "{it} ship to {place} 可以吗"),
    "ask.return_days": (
        "can I return {it} if I don't like it", "how long can I send {it} back", "what's the return policy on {it}",
        "what if {it} doesn't work for me, can I return it", "how many days do I have to return {it}", "can I give {it} back",
    ),
    "short.return_days": (
        "return policy|return policy for {it}|what's the return policy on {it}", "can I return it|can I return {it}|can I return {it}",
        "returns|returns on {it}|can I return {it}", "how many days for returns|how many days to return {it}|how many days do I have to return {it}",
        "money back|money back on {it}|can I send {it} back for my money",
    ),
    "mixed.return_days": ("{it} 可以退吗", "puedo devolver {it}", "rückgabe for {it}, how many days|how many days do I have to return {it}"),
    "ask.return_cost": (
        "who pays the return postage for {it}", "is it free to send {it} back", "do I pay for sending {it} back", "are returns free on {it}",
    ),
    "short.return_cost": (
        "free returns|free returns on {it}|are returns free on {it}", "who pays returns|who pays returns on {it}|who pays the return postage for {it}",
        "return postage|return postage for {it}|who pays the return postage for {it}",
    ),
    "mixed.return_cost": ("{it} 退货运费谁出", "devolución gratis for {it}|are returns free on {it}"),
    "ask.pack": (
        "what's the price if I take two of {it}", "what do two of {it} cost together", "can I get a bundle price for {it}",
        "is there a two-pack of {it}, how much", "how much is {it} if I buy two", "bundle price for {it}|what's the bundle price for {it}",
    ),
    "short.pack": (
        "bundle price|bundle price for {it}|what's the bundle price for {it}", "two pack price|two pack price of {it}|what's the price of the two-pack of {it}",
        "price for two|price for two of {it}|what do two of {it} cost together", "how much for two|how much for two of {it}|what do two of {it} cost together",
    ),
    "mixed.pack": ("{it} 两个多少钱|what do two of {it} cost together", "precio for two of {it}|what's the price for two of {it}"),
    "ask.gift": (
        "do I get a gift with {it}", "is there something free with {it}", "what's the free gift with {it}", "what do you throw in with {it}",
        "any freebie if I order {it}|is there a freebie if I order {it}",
    ),
    "short.gift": (
        "free gift|free gift with {it}|is there a free gift with {it}", "any freebie|any freebie with {it}|is there a freebie with {it}",
        "what's the gift|what's the gift with {it}|what's the free gift with {it}", "anything free with it|anything free with {it}|is there anything free with {it}",
    ),
    "mixed.gift": ("{it} 有赠品吗", "regalo with {it}|is there a gift with {it}"),
    "ask.rating": (
        "what's the rating of {it}", "is {it} any good, what's the rating", "how many stars does {it} have", "what do people rate {it}", "how are the reviews for {it}",
    ),
    "short.rating": (
        "rating|rating of {it}|what's the rating of {it}", "how many stars|how many stars for {it}|how many stars does {it} have",
        "reviews|reviews for {it}|how are the reviews for {it}", "any good|{it} any good|is {it} any good, what's the rating",
    ),
    "mixed.rating": ("{it} 评分多少", "how many estrellas does {it} have"),
    "ask.compare": (
        "which one {wins}, {it} or {other}", "{it} or {other}, which one {wins}|which one {wins}, {it} or {other}", "between {it} and {other}, which one {wins}|which one {wins}, {it} or {other}",
        "{it} vs {other}, which one {wins}|which one {wins}, {it} or {other}", "can't decide, {it} or {other}, which one {wins}|which one {wins}, {it} or {other}",
        "I want the one that {wins}, {it} or {other}|which one {wins}, {it} or {other}", "compare {it} and {other} please, which one {wins}|which one {wins}, {it} or {other}",
    ),
    "short.compare": (
        "which {wins}, {it} or {other}|which one {wins}, {it} or {other}", "{it} or {other}, which {wins}|which one {wins}, {it} or {other}", "{it} / {other}, which {wins}|which one {wins}, {it} or {other}",
        "{it} vs {other}, which {wins}|which one {wins}, {it} or {other}", "which one {wins}: {it} / {other}|which one {wins}, {it} or {other}", "{it} and {other}: which {wins}|which one {wins}, {it} or {other}",
    ),
    "wins.price": ("is cheaper", "costs less", "has the better price"),
    "ask.size": (
        "what size should I take in {it}", "which size of {it} fits me", "what size do I need in {it}", "which size for {it}|which size should I take in {it}",
        "what size would you recommend in {it}", "would you tell me my size in {it}|what's my size in {it}", "size for {it}|what size should I take in {it}",
    ),
    "short.size": (
        "what size|what size in {it}|what size should I take in {it}", "which size|which size in {it}|which size should I take in {it}",
        "my size|my size in {it}|what's my size in {it}", "what size do I take|what size do I take in {it}|what size should I take in {it}",
        "size please|size in {it} please|what size should I take in {it}", "which size fits|which size of {it} fits|which size of {it} fits me",
    ),
    "mixed.size": ("{it} 穿什么码", "qué talla in {it}", "welche size in {it}"),
    "ask.recommend": (
        "do you have {a_noun} {wishes}", "which one should I get, I need {a_noun} {wishes}", "I want {a_noun} {wishes}, which one",
        "do you have one {wishes}|do you have {a_noun} {wishes}", "looking for {a_noun} {wishes}, which one is it", "is there {a_noun} {wishes}",
        "help me choose {a_noun} {wishes}|can you help me choose {a_noun} {wishes}", "I need {a_noun} {wishes} for my sister|do you have {a_noun} {wishes} for my sister",
        "any {plural} {wishes}|do you have any {plural} {wishes}", "my dad needs {a_noun} {wishes}, what do you have",
        "show me one {wishes}|can you show me {a_noun} {wishes}", "which number is the one {wishes}|which number is the {noun} {wishes}",
    ),
    "short.recommend": (
        "any {wishes}|do you have {a_noun} {wishes}", "got one {wishes}|do you have {a_noun} {wishes}", "need one {wishes}|do you have {a_noun} {wishes}", "{a_noun} {wishes}|do you have {a_noun} {wishes}",
        "want one {wishes}|do you have {a_noun} {wishes}", "got any {wishes}|do you have {a_noun} {wishes}", "looking for one {wishes}|do you have {a_noun} {wishes}",
    ),
    "mixed.recommend": ("recommend me one {wishes}, por favor|can you recommend {a_noun} {wishes}", "想要一个 {wishes}, which one", "busco {a_noun} {wishes}"),
    "and.wishes": (" and ",),
    "wish.budget": ("under {money}", "below {money}", "for less than {money}", "for max {money}"),
    "ask.none_cheaper": (
        "do you have {a_noun} under {money}", "which one is under {money}|which {noun} is under {money}", "do you have {a_noun} for less than {money}",
        "anything below {money}|do you have {a_noun} under {money}", "I only have {money}, which one can I get|I only have {money}, which {noun} can I get",
        "show me the one that's under {money}|which {noun} is under {money}", "any {plural} under {money}|do you have any {plural} under {money}",
    ),
    "short.none_cheaper": (
        "any under {money}|do you have {a_noun} under {money}", "anything under {money}|do you have {a_noun} under {money}", "something below {money}|do you have {a_noun} under {money}", "got one under {money}|do you have {a_noun} under {money}",
        "I have {money}, which one|I have {money}, which {noun} can I get", "which one under {money}|do you have {a_noun} under {money}", "{money} max, which one|which {noun} can I get for {money} at most",
    ),
    "short.lineup": (
        "any {wish}|do you have {a_noun} {wish}", "got one {wish}|do you have {a_noun} {wish}", "need one {wish}|do you have {a_noun} {wish}", "{a_noun} {wish}|do you have {a_noun} {wish}",
        "which one, the one {wish}|which number is the {noun} {wish}", "got any {wish}|do you have {a_noun} {wish}", "the one {wish}|which number is the {noun} {wish}",
    ),
    "ask.lineup": (
        "do you have {a_noun} {wish}", "which number is the one {wish}|which number is the {noun} {wish}",
        "I want the one {wish}, which number is it|I want the {noun} {wish}, which number is it",
        "I need {a_noun} {wish}, which one", "show me the one {wish} please|can you show me the {noun} {wish}",
        "looking for one {wish}|do you have {a_noun} {wish}", "any {plural} {wish}|do you have any {plural} {wish}",
    ),
    "ask.claim": (
        "{claim}, correct", "so {claim}, right|{claim}, right", "my friend says {claim}, true|is it true that {claim}", "is it true that {claim}",
        "you said {claim}, no|{claim}, right", "since {claim}, I can order right away|{claim}, so can I order right away",
        "I read that {claim}, is that so|is it true that {claim}", "{claim}, isn't that so",
    ),
    "short.claim": ("so {claim}|{claim}, right", "{claim} right|{claim}, right", "{claim}, yes|{claim}, right", "{claim}, no|{claim}, right", "and {claim}, right|{claim}, right", "{claim} yeah|{claim}, right"),
    "short.price_claim": (
        "only {money}|{it} only {money}|is {it} only {money}", "{money} right|{it} {money} right|{it} is {money}, right", "so {money}|so {it} is {money}|{it} is {money}, right",
        "{money}, yes|{it} {money}, yes|{it} is {money}, right", "still {money}|{it} still {money}|is {it} still {money}",
        "{money} like you said|{it} {money} like you said|is {it} {money} like you said", "just {money}|{it} just {money}|is {it} just {money}",
    ),
    "short.coupon_claim": (
        "{off} with {code}, right|{off} {it} with {code}, right|{it} is {off} with {code}, right", "so {off}|so {off} {it}|is {it} {off}",
        "still {off}|still {off} on {it}|is {it} still {off}", "{off} yes|{off} on {it}, yes|is {it} {off}", "{code} is {off}, right|{code} is {off} on {it}, right|is {it} {off} with {code}",
    ),
    "ask.price_claim": (
        "{it} is {money}, right", "so {it} is only {money}|is {it} only {money}", "isn't {it} {money}", "I'll take {it} for {money}, ok|can I take {it} for {money}",
        "you said {money} for {it}, right|did you say {money} for {it}", "I saw {it} for {money}, is that still the price",
    ),
    "ask.coupon_claim": (
        "does the {off} coupon still work on {it}", "{it} is {off} with {code}, right", "so I get {off} {it} with {code}|do I get {off} {it} with {code}",
        "how do I get the {off} on {it}",
    ),
    "ask.both": ("{first}, and {second}", "{first} and also {second}", "{first}? and {second}"),
    "short.with": ("{it} {text}", "{it}: {text}", "{it}, {text}", "{it} - {text}", "{it} {text}"),
    "ask.with": ("{it}, {text}", "{it}: {text}", "about {it}, {text}"),
    "join.lead": ("{lead}, {text}", "{lead}. {text}", "{lead} - {text}", "{lead}, {text}"),
    "resolved.lead": ("{lead}. {text}",),
    "resolved.named": ("about {name}: {text}",),
    "short.both": ("{first} and {second}", "{first}, {second}", "{first}? {second}"),
    "ask.off_topic": (
        "where are you from", "are you a real person or AI", "what's that song in the background", "can you say hi to my mum Rosa",
        "how old are you", "who won the match last night", "what's the weather where you are", "do you sell cars too",
        "can you sing something", "what's your phone", "are you single", "which camera do you stream with", "what did you eat today",
        "when is your birthday", "do you know a good dentist", "is bitcoin going up", "can you help me with my homework",
        "what lipstick are you wearing", "who is your boss", "how do I become a host", "can I work for you", "is your brother streaming tonight",
        "what's your instagram", "do you have a dog", "who should I vote for", "can you follow me back", "what time is it in Tokyo",
        "is it raining there", "tell us a joke", "where did you buy that lamp behind you", "what's the wifi password lol", "do you like pizza",
    ),
    "opener.off_topic": ("", "", "hey ", "random question, ", "sorry off topic but ", "host ", "haha ", "one thing, ", "btw "),
    "ref.shown": ("it", "it", "this", "this one", "this one", "that one", "the one you're showing", "the one in your hand"),
    "ref.shown_pair": ("this pair", "this pair", "this one", "it", "that pair", "the pair you're showing", "this"),
    "ref.previous": ("the one before", "the last one you showed", "the one from a minute ago", "the previous one"),
    "ref.previous_pair": ("the pair before", "the last pair you showed", "the pair from a minute ago", "the previous pair"),
    "ref.slot": (
        "no. {slot}", "no. {slot}", "number {slot}", "#{slot}", "no {slot}", "nr {slot}", "item {slot}", "no.{slot}", "slot {slot}",
        "number {spelled}", "#{slot}",
    ),
    "ref.name": ("the {brand}", "the {short}", "{short}", "the {brand} one", "the {brand} {noun}", "{brand}"),
    "ref.name_pair": ("the {brand}", "the {short}", "{short}", "the {brand} one", "{brand}", "the {brand} pair"),
    "ref.slot.both": ("no. {slot}", "number {slot}", "#{slot}", "no {slot}", "item {slot}"),
    "ref.name.both": ("the {short}", "{short}", "the {brand}", "{brand}"),
    "ref.corrected": ("no. {wrong}, sorry no. {slot}", "no. {wrong} I mean {slot}", "number {wrong}, no wait, {slot}"),
    "ref.shown.both": ("this one", "this one", "that one", "this", "the one you're showing"),
    "lead.reference": (
        "about {it}", "question about {it}", "I like {it}", "looking at {it}", "hi, {it} please",
        "thinking about {it}", "{it} looks nice", "my wife wants {it}", "{it}",
    ),
    "lead.plain": (
        "hi, just joined", "I have a question", "ooh nice", "hello from Leeds", "wait", "that looks good", "can I ask something",
        "this could be a present for my mum", "need something like that", "finally", "sorry I was late",
        "thinking about getting this", "hi everyone", "love this", "ok I'm interested", "hmm not sure yet",
    ),
    "filler.before": (
        "um ", "hey ", "hi ", "sorry, ", "ok so ", "hmm ", "omg ", "wait, ", "hello, ", "pls ", "excuse me, ",
        "ahh ", "quick one: ", "uh ", "guys ", "yo ",
    ),
    "filler.tail": (
        " lol", " pls", " thx", " haha", " please", " thanks", " ty"," 🙏", " 😍", " 🔥🔥", " 😂", " ❤️", " 🤔", " 👀", " 😭", " ✨", " 👍👍", " 😅", " 🥺",
    ),
    "filler.none": ("hi", "hey", "so ", "sorry", "btw", "haha", "about", "quick"),
    "filler.mention": ("@{host} ", "@{host}, ", "{host} ", "@host ", "@{host} hi "),
    "filler.mention_after": (" @{host}", " @host"),
    "mixed.before": ("hola, ", "你好, ", "bonjour, ", "hallo, ", "oye, ", "请问 ", "ciao, "),
    "mixed.after": (" por favor", " gracias", " 谢谢", " merci", " bitte", " danke"),
    "mixed.words": (
        "battery=batería", "price=precio", "warranty=garantía", "which one=cuál", "how many=cuántos", "washing machine=waschmaschine",
        "waterproof=wasserdicht", "pockets=taschen", "colour=farbe", "in stock=auf lager", "discount=rabatt", "shipping=envío", "please=por favor",
    ),
}  # fmt: skip
