"""How English-speaking viewers ask. {it} is a product, {other} a second one; no closing mark.

`ask.*` are sentences, `short.*` bare words after "this is what we are looking at", `mixed.*`
switch languages, `ref.*` are ways to point at a product, `lead.*` is what is typed first.
"""

from __future__ import annotations

from typing import Final

_PRICE = (
    "how much is {it}", "what's the price of {it}", "how much does {it} cost", "what does {it} cost",
    "how much for {it}", "can you tell me the price of {it}", "what do you want for {it}",
    "how much are you asking for {it}", "what's {it} going for", "price for {it} again",
    "what did you say {it} costs", "how many dollars is {it}", "missed it, how much was {it}",
    "is {it} expensive, what's the price", "what would I pay for {it}", "can you repeat the price of {it}",
)  # fmt: skip

PHRASES: Final[dict[str, tuple[str, ...]]] = {
    "ask.price": _PRICE,
    "short.price": ("price", "how much", "price please", "cost", "what price", "how much again"),
    "mixed.price": (
        "cuánto cuesta {it}", "{it} 多少钱", "combien for {it}", "was kostet {it}", "quanto costa {it}",
        "price of {it} por favor", "{it} precio", "{it} kitna hai, price", "how much is {it} amigo", "{it} 价格",
    ),
    "ask.coupon": (
        "is there a coupon for {it}", "any discount on {it}", "do you have a code for {it}", "is {it} on sale, any code",
        "what's the promo code for {it}", "which coupon works on {it}", "can I get {it} cheaper with a code",
        "any voucher for {it} today", "is there a live deal on {it}, which code",
    ),
    "short.coupon": ("any coupon", "coupon code", "discount", "any promo code", "voucher", "code please"),
    "mixed.coupon": ("hay descuento for {it}, what code", "{it} 有优惠券吗", "any rabatt code for {it}", "code promo for {it}"),
    "ask.coupon_price": (
        "how much is {it} with the coupon", "what's {it} after the discount", "what do I pay for {it} with the code",
        "price of {it} after coupon", "how low does {it} go with the code", "final price of {it} with the promo",
    ),
    "short.coupon_price": ("price with coupon", "after discount", "final price with code", "how much with the code"),
    "mixed.coupon_price": ("{it} 券后多少钱", "price of {it} con descuento", "{it} avec le code, how much"),
    "ask.coupon_until": (
        "until when is the coupon for {it} valid", "how long does the deal on {it} last", "when does the code for {it} expire",
        "can I still use the code for {it} next week, until when", "last day for the coupon on {it}",
    ),
    "short.coupon_until": ("coupon valid until when", "deal until when", "when does the code end"),
    "mixed.coupon_until": ("hasta cuándo is the coupon for {it} good", "{it} 优惠到什么时候"),
    "ask.stock": (
        "is {it} still in stock", "is {it} available", "do you still have {it}", "can I still get {it}", "is {it} sold out",
        "any of {it} left", "is {it} back in stock", "did {it} sell out already", "can I order {it} now",
    ),
    "short.stock": ("in stock", "still available", "sold out", "any left", "available"),
    "mixed.stock": ("{it} 还有货吗", "todavía hay {it}", "is {it} noch da", "still have {it}, dispo"),
    "ask.left": (
        "how many of {it} are left", "how many pieces of {it} do you have", "what's the stock of {it}", "how many can I still get of {it}",
    ),
    "short.left": ("how many left", "how many pieces left", "stock left"),
    "mixed.left": ("{it} 还剩几件", "cuántos quedan of {it}"),
    "ask.variant": (
        "do you have {it} in {variant}", "is {it} available in {variant}", "is the {variant} of {it} in stock",
        "can I get {it} in {variant}", "any {variant} left of {it}", "{it} in {variant}, still there",
    ),
    "short.variant": ("{variant}", "{variant} in stock", "got {variant}", "{variant} left", "any in {variant}"),
    "mixed.variant": ("{it} in {variant} 有吗", "tienes {it} in {variant}"),
    "ask.shipping_time": (
        "how long does shipping take for {it}", "when would {it} arrive", "how fast do you deliver {it}", "how many days until I get {it}",
        "if I order {it} today when does it come", "delivery time for {it}", "does {it} get here within a week, how many days",
    ),
    "short.shipping_time": ("how long is shipping", "delivery time", "how many days to deliver", "when does it arrive", "shipping time"),
    "mixed.shipping_time": ("{it} 几天到", "cuántos días for {it} to arrive", "lieferzeit for {it}"),
    "ask.shipping_cost": (
        "what's the shipping cost for {it}", "is shipping free for {it}", "how much is delivery for {it}", "do I pay shipping on {it}",
        "is postage included with {it}", "what do you charge to send {it}",
    ),
    "short.shipping_cost": ("shipping cost", "free shipping", "delivery fee", "postage", "is shipping free"),
    "mixed.shipping_cost": ("{it} 包邮吗", "envío gratis for {it}", "versand free for {it}"),
    "ask.ship_to": (
        "do you ship {it} to {place}", "can I get {it} delivered to {place}", "I'm in {place}, can you send me {it}",
        "does {it} ship to {place}", "would you post {it} to {place}",
    ),
    "short.ship_to": ("ship to {place}", "{place} ok", "delivery to {place}", "do you send to {place}"),
    "mixed.ship_to": ("envían {it} a {place}", "{it} ship to {place} 可以吗"),
    "ask.return_days": (
        "can I return {it} if I don't like it", "how long can I send {it} back", "what's the return policy on {it}",
        "what if {it} doesn't work for me, can I return it", "how many days do I have to return {it}", "can I give {it} back",
    ),
    "short.return_days": ("return policy", "can I return it", "returns", "how many days for returns", "money back"),
    "mixed.return_days": ("{it} 可以退吗", "puedo devolver {it}", "can I rückgabe {it}, how many days"),
    "ask.return_cost": (
        "who pays the return postage for {it}", "is it free to send {it} back", "do I pay for sending {it} back", "are returns free on {it}",
    ),
    "short.return_cost": ("free returns", "who pays returns", "return postage"),
    "mixed.return_cost": ("{it} 退货运费谁出", "devolución gratis for {it}"),
    "ask.pack": (
        "is there a deal if I take two of {it}", "what do two of {it} cost together", "can I get a bundle price for {it}",
        "is there a two-pack of {it}, how much", "do I save if I buy {it} twice", "bundle price for {it}",
    ),
    "short.pack": ("bundle price", "two pack price", "deal for two", "how much for two"),
    "mixed.pack": ("{it} 两个多少钱", "precio for two of {it}"),
    "ask.gift": (
        "do I get a gift with {it}", "is there something free with {it}", "what's the free gift with {it}", "what do you throw in with {it}",
        "any freebie if I order {it}",
    ),
    "short.gift": ("free gift", "any freebie", "what's the gift", "anything free with it"),
    "mixed.gift": ("{it} 有赠品吗", "regalo with {it}"),
    "ask.rating": (
        "is {it} any good, what's the rating", "how many stars does {it} have", "what do people rate {it}", "how are the reviews for {it}",
        "what's the rating of {it}",
    ),
    "short.rating": ("rating", "how many stars", "reviews", "any good"),
    "mixed.rating": ("{it} 评分多少", "how many estrellas does {it} have"),
    "ask.compare": (
        "which one {wins}, {it} or {other}", "{it} or {other}, which one {wins}", "between {it} and {other}, which {wins}",
        "{it} vs {other}, which one {wins}", "can't decide, {it} or {other}, I want the one that {wins}",
        "does {it} or {other} do better, which {wins}", "compare {it} and {other} please, which {wins}",
    ),
    "short.compare": (
        "which {wins}, {it} or {other}", "{it} or {other}, which {wins}", "{it} or {other}: which {wins}", "{it} / {other}, which {wins}",
        "{it} vs {other}, which {wins}", "which one {wins}: {it} / {other}", "{it} and {other}: which {wins}",
    ),
    "wins.price": ("is cheaper", "costs less", "is the better price"),
    "ask.size": (
        "what size should I take in {it}", "which size of {it} fits me", "what size do I need for {it}", "which size for {it}",
        "what size would you recommend in {it}", "would you tell me my size in {it}", "size for {it}",
    ),
    "short.size": ("what size", "which size", "my size", "what size do I take", "size please", "which size fits"),
    "mixed.size": ("{it} 穿什么码", "qué talla in {it}", "welche size in {it}"),
    "ask.recommend": (
        "which one should I get, I need one {wishes}", "I want something {wishes}, which one", "what would you recommend {wishes}",
        "do you have one {wishes}", "looking for {a_noun} {wishes}, which one is it", "is there {a_noun} {wishes}",
        "help me choose {a_noun} {wishes}", "I need {a_noun} {wishes} for my sister", "any {plural} {wishes}",
        "my dad needs {a_noun} {wishes}, what do you have", "show me one {wishes}", "which number is the one {wishes}",
    ),
    "short.recommend": (
        "one {wishes}", "any {wishes}", "got one {wishes}", "need one {wishes}", "{a_noun} {wishes}", "want one {wishes}", "which one {wishes}",
        "something {wishes}",
    ),
    "mixed.recommend": ("recommend me one {wishes}, por favor", "想要一个 {wishes}, which one", "busco {a_noun} {wishes}"),
    "and.wishes": (" and ",),
    "wish.budget": ("under {money}", "below {money}", "for less than {money}", "for max {money}"),
    "ask.none_cheaper": (
        "which one is under {money}", "do you have {a_noun} for less than {money}", "anything below {money}",
        "I only have {money}, which one can I get", "show me the one that's under {money}", "any {plural} under {money}",
    ),
    "short.none_cheaper": (
        "any under {money}", "anything under {money}", "one under {money}", "something below {money}", "got one under {money}",
        "I have {money}, which one", "which one under {money}", "{money} max, which one",
    ),
    "short.lineup": (
        "one {wish}", "any {wish}", "got one {wish}", "need one {wish}", "{a_noun} {wish}", "which one, the one {wish}", "the one {wish}",
    ),
    "ask.lineup": (
        "which number is the one {wish}", "I want the one {wish}, which number is it", "do you have {a_noun} {wish}",
        "I need {a_noun} {wish}, which one", "show me the one {wish} please", "looking for one {wish}", "any {plural} {wish}",
    ),
    "ask.claim": (
        "so {claim}, right", "{claim}, correct", "my friend says {claim}, true", "is it true that {claim}", "you said {claim}, no",
        "since {claim}, I can order right away", "I read that {claim}, is that so", "{claim}, isn't that so",
    ),
    "short.claim": ("so {claim}", "{claim} right", "{claim}, yes", "{claim}, no", "and {claim}, right", "{claim} yeah"),
    "short.price_claim": ("only {money}", "{money} right", "so {money}", "{money}, yes", "still {money}", "{money} like you said", "just {money}"),
    "short.coupon_claim": ("{off} with {code}, right", "so {off}", "still {off}", "{off} yes", "{code} is {off}, right"),
    "ask.price_claim": (
        "{it} is {money}, right", "so {it} is only {money}", "isn't {it} {money}", "I'll take {it} for {money}, ok", "you said {money} for {it}, right",
        "I saw {it} for {money}, is that still the price",
    ),
    "ask.coupon_claim": (
        "does the {off} coupon still work on {it}", "{it} is {off} with {code}, right", "so I get {off} {it} with {code}",
        "how do I get the {off} on {it}",
    ),
    "ask.both": ("{first}, and {second}", "{first} and also {second}", "{first}? and {second}"),
    "short.with": ("{it} {text}", "{text} {it}", "{it}: {text}", "{it}, {text}", "{text} for {it}", "{it} {text}"),
    "ask.with": ("{it}, {text}", "{it}: {text}", "about {it}, {text}"),
    "join.lead": ("{lead}, {text}", "{lead}. {text}", "{lead} - {text}", "{lead}, {text}"),
    "resolved.lead": ("{lead}. {text}",),
    "resolved.named": ("{text} ({name})",),
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
    "ref.corrected": ("no. {wrong}, sorry no. {slot}", "no. {wrong} I mean {slot}", "number {wrong}, no wait, {slot}"),
    "lead.reference": (
        "about {it}", "question about {it}", "I like {it}", "looking at {it}", "can you show {it} again", "hi, {it} please",
        "thinking about {it}", "{it} looks nice", "my wife wants {it}", "back to {it} please", "{it}",
    ),
    "lead.plain": (
        "hi, just joined", "I have a question", "ooh nice", "hello from Leeds", "wait", "that looks good", "can I ask something",
        "looks just like my old one", "this could be a present for my mum", "need something like that", "finally", "sorry I was late",
        "my old one broke", "thinking about getting this", "hi everyone", "love this", "ok I'm interested", "hmm not sure yet",
    ),
    "filler.before": (
        "um ", "hey ", "hi ", "sorry, ", "ok so ", "hmm ", "omg ", "so ", "wait, ", "hello, ", "pls ", "excuse me, ", "dear host, ",
        "ahh ", "well ", "honestly, ", "quick one: ", "uh ", "guys ", "yo ",
    ),
    "filler.tail": (
        " lol", " pls", " thx", " haha", " please", " thanks", " ty"," 🙏", " 😍", " 🔥🔥", " 😂", " ❤️", " 🤔", " 👀", " 😭", " ✨", " 👍👍", " 😅", " 🥺",
    ),
    "filler.mention": ("@{host} ", "@{host}, ", "{host} ", "@host ", "@{host} hi "),
    "filler.mention_after": (" @{host}", " @host"),
    "mixed.before": ("hola, ", "你好, ", "bonjour, ", "hallo, ", "oye, ", "请问 ", "ciao, "),
    "mixed.after": (", por favor", ", gracias", " 谢谢", ", merci", ", bitte", " 吗", ", danke", " oder"),
    "mixed.words": (
        "battery=batería", "price=precio", "warranty=garantía", "size=talla", "weight=peso", "material=materia", "which one=cuál", "how many=cuántos",
        "how long=cuánto tiempo", "is there=hay", "noise=ruido", "water=agua", "washing machine=waschmaschine", "heavy=schwer",         "power=leistung", "waterproof=wasserdicht", "pockets=taschen", "color=farbe", "vegan=végane", "in stock=auf lager", "discount=rabatt",
    ),
}  # fmt: skip
