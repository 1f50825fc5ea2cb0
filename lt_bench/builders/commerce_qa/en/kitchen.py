"""Air fryers, coffee machines and nut boxes."""

from __future__ import annotations

from lt_bench.builders.commerce_qa.en import shared
from lt_bench.builders.commerce_qa.schema import Category, Check, Faq, choice, flag, number

AIR_FRYER = Category(
    name="air_fryer",
    noun="air fryer",
    one="an air fryer",
    plural="air fryers",
    forms=("Crisp", "Goldie", "FryLite", "Crunch", "Savor", "Hotplate Duo", "Basket One", "Supper"),
    colors=("black", "cream", "sage green"),
    prices=(49, 219),
    attributes=(
        number(
            "capacity", "Capacity", "litres", (3.5, 4.2, 5, 5.5, 6.2, 7.6, 9), "{it} holds {v}",
            ("how many litres is {it}", "how big is {it} inside", "what's the capacity of {it}"),
            ("how many litres", "capacity", "how big"), wins="holds more", topic="size",
            check=Check("I need at least {n} for the family", "is {it} big enough", yes="Yes, big enough: {clause}.", no="No, too small: {clause}."),
        ),
        shared.power(1300, 1500, 1700, 1800, 2000, 2400),
        number(
            "max_temperature", "Maximum temperature", "°C", (180, 190, 200, 210, 220, 230), "{it} goes up to {v}",
            ("how hot does {it} get", "what's the max temperature of {it}"), ("max temperature", "how hot"),
            wins="gets hotter", topic="power",
        ),
        flag(
            "dishwasher_safe", "Dishwasher-safe basket", "{it} has a dishwasher-safe basket",
            "{it} does not have a dishwasher-safe basket",
            ("can I put the basket of {it} in the dishwasher", "is the basket of {it} dishwasher safe"),
            ("dishwasher safe", "dishwasher ok"), topic="cleaning", want="with a dishwasher-safe basket",
        ),
        flag(
            "viewing_window", "Viewing window", "{it} has a viewing window", "{it} has no viewing window",
            ("does {it} have a window", "can I see the food inside {it}"), ("window", "viewing window"),
            topic="size", want="with a viewing window", values=(True, False),
        ),
        number(
            "presets", "Programs", "programs", (6, 8, 10, 12), "{it} has {v}",
            ("how many programs does {it} have", "how many presets are on {it}"), ("how many programs", "presets"),
            wins="has more programs", topic="controls",
        ),
        choice(
            "coating", "Basket coating", ("ceramic", "PTFE", "stainless steel"), "{it} has a {v} coating",
            ("what coating does {it} have", "is {it} ceramic or teflon inside", "what's the basket of {it} coated with"),
            ("coating", "what coating"), topic="cleaning", want="with a {v} basket",
        ),
        shared.weight("kg", 3.6, 4.3, 5.1, 5.8, 6.9),
        number(
            "cord_length", "Cord", "cm", (80, 90, 100, 120), "{it} has a cord of {v}",
            ("how long is the cable of {it}", "what's the cord length of {it}"), ("cord length", "cable length"),
            wins="has the longer cord", topic="size",
        ),
        shared.warranty(12, 24, 36),
    ),
    faqs=(
        Faq(("do I have to preheat it", "preheating needed|do I have to preheat it", "does it need to warm up first"),
            "Preheat it for three minutes before frozen food.", "three minutes", ("3 minutes",)),
        Faq(("can I use baking paper in it", "is baking paper ok", "paper liners ok|can I use baking paper in it"),
            "Baking paper is fine as long as food weighs it down.", "baking paper is fine",
            ("baking paper is okay", "you can use baking paper")),
    ),
    reviews=("Fries come out crunchy without much oil.", "Easy to wipe, the fan hums a little.", "We stopped using the oven."),
    unlisted=("does {it} turn off if the food burns", "can I bake sourdough in {it}", "is the plastic of {it} microwave safe",
              "does {it} set off smoke alarms", "will {it} fit under my kitchen cabinet"),
    gifts=("50 paper liners", "a silicone tray", "a recipe book"),
)  # fmt: skip

COFFEE_MACHINE = Category(
    name="coffee_machine",
    noun="coffee machine",
    one="a coffee machine",
    plural="coffee machines",
    forms=("Barista", "Crema", "Morning", "Doppio", "Roastery", "Lungo", "Piccolo", "Velvet"),
    colors=("black", "silver", "red"),
    prices=(79, 549),
    attributes=(
        number(
            "pump_pressure", "Pump pressure", "bar", (9, 15, 19, 20), "{it} brews at {v}",
            ("how many bar does {it} have", "what's the pressure of {it}"), ("how many bar", "pressure"),
            wins="has more pressure", topic="coffee",
        ),
        number(
            "water_tank", "Water tank", "litres", (0.8, 1.1, 1.4, 1.8, 2.2), "{it} has a water tank of {v}",
            ("how big is the water tank of {it}", "how much water fits in {it}"), ("water tank", "tank size"),
            wins="has the bigger tank", topic="size",
        ),
        number(
            "heat_up", "Heats up in", "seconds", (15, 25, 30, 40, 60), "{it} heats up in {v}",
            ("how fast does {it} heat up", "how long until {it} is hot"), ("how fast", "heat up time"),
            wins="heats up faster", lower_wins=True, topic="coffee",
            check=Check("I have {n} in the morning, no more", "is {it} hot by then", "at_most", yes="Yes, in time: {clause}.", no="No, not in time: {clause}."),
        ),
        choice(
            "coffee_type", "Coffee", ("whole beans", "ground coffee", "capsules"), "{it} takes {v}",
            ("what coffee does {it} take", "does {it} use beans or capsules", "what do I put in {it}, beans or capsules"),
            ("beans or capsules", "what coffee"), topic="coffee", want="that takes {v}",
        ),
        flag(
            "milk_frother", "Milk frother", "{it} has a milk frother", "{it} has no milk frother",
            ("does {it} have a milk frother", "can {it} make cappuccino, does it have a frother", "does {it} froth milk"),
            ("milk frother", "frother"), topic="coffee", want="with a milk frother",
        ),
        flag(
            "removable_brew_group", "Removable brew group", "{it} has a removable brew group",
            "{it} has no removable brew group",
            ("can I take out the brew group of {it}", "does {it} have a removable brew group"),
            ("removable brew group",), topic="cleaning", want="with a removable brew group",
        ),
        number(
            "cup_height", "Cup height up to", "cm", (8, 10, 12, 14), "{it} takes cups up to {v} tall",
            ("how tall a cup fits under {it}", "what cup height fits {it}"), ("cup height", "max cup height"),
            wins="takes taller cups", topic="size", check=Check("my travel mug is {n} tall", "does it fit under {it}", yes="Yes, it fits: {clause}.", no="No, too tall: {clause}."),
        ),
        shared.weight("kg", 2.9, 3.8, 4.6, 7.5, 8.9),
        shared.APP,
        shared.warranty(12, 24, 36),
    ),
    faqs=(
        Faq(("how often do I descale it", "descaling, how often|how often do I descale it", "when do I have to descale"),
            "Descale it every two months in hard-water areas.", "every two months"),
        Faq(("can I use oat milk", "does oat milk work", "oat milk ok|can I use oat milk"),
            "Oat milk works if it is the barista kind.", "the barista kind", ("barista oat milk", "barista kind")),
    ),
    reviews=("Thick crema, my guests are impressed.", "A bit loud, but the coffee is hot.", "Fits my tiny kitchen."),
    unlisted=("does {it} make cold brew overnight", "can I sync {it} with my alarm clock", "is {it} kosher certified",
              "does {it} run on 110 volt in my RV", "is the inside of {it} plastic free"),
    gifts=("a bag of beans", "two espresso cups", "a descaling kit"),
)  # fmt: skip

NUT_BOX = Category(
    name="nut_box",
    noun="nut box",
    one="a nut box",
    plural="nut boxes",
    forms=("Harvest", "Grove", "Orchard", "Daily Mix", "Trail", "Autumn", "Hazel", "Meadow"),
    colors=(),
    prices=(12, 59),
    attributes=(
        shared.weight("g", 350, 450, 500, 600, 750, 900),
        number(
            "bags", "Bags in the box", "bags", (7, 10, 14, 20, 25, 30), "{it} has {v} inside",
            ("how many bags are in {it}", "how many packs do I get in {it}"), ("how many bags", "how many packs"),
            wins="has more bags", topic="content",
        ),
        choice(
            "roast", "Roast", ("raw", "lightly roasted", "smoked", "salted"), "{it} is {v}",
            ("is {it} salted or raw", "how is {it} roasted", "what's the roast of {it}"), ("salted or raw", "roast"),
            topic="content", want="that's {v}",
        ),
        flag(
            "contains_peanuts", "Contains peanuts", "{it} contains peanuts", "{it} does not contain peanuts",
            ("are there peanuts in {it}", "does {it} have peanuts in it", "does {it} contain peanuts"),
            ("peanuts", "any peanuts"), topic="diet", values=(True, False), want="with peanuts",
            leads=(("my son is allergic to peanuts", "are there any in {it}"),),
        ),
        flag(
            "vegan", "Vegan", "{it} is vegan", "{it} is not vegan",
            ("is {it} vegan", "can vegans eat {it}"), ("vegan",), topic="diet", want="that's vegan",
        ),
        number(
            "shelf_life", "Shelf life", "months", (6, 8, 9, 10, 12), "{it} keeps for {v}",
            ("how long does {it} keep", "what's the shelf life of {it}"), ("shelf life", "how long does it keep"),
            wins="keeps longer", topic="content",
        ),
        number(
            "sugar", "Sugar", "%", (3, 4, 6, 9, 14, 18), "{it} has {v} sugar",
            ("how much sugar is in {it}", "is there a lot of sugar in {it}"), ("sugar", "how much sugar"),
            wins="has less sugar", lower_wins=True, topic="diet",
        ),
        shared.made_in("Turkey", "Spain", "Chile", "Australia"),
        choice(
            "packaging", "Packaging", ("gift tin", "paper box", "resealable pouch"), "{it} comes in a {v}",
            ("what packaging does {it} come in", "is {it} in a gift box", "how is {it} packed"),
            ("packaging", "gift box"), topic="service", want="in a {v}",
        ),
    ),
    faqs=(
        Faq(("how do I store them", "storage|how do I store them", "do they go in the fridge"),
            "Keep the bags cool and dry; once open, eat them within two weeks.", "within two weeks", ("two weeks",)),
        Faq(("can my toddler eat them", "ok for little kids|can my toddler eat them", "from what age|can my toddler eat them"),
            "Whole nuts are for children over five years.", "over five years", ("over 5", "over five", "older than five")),
    ),
    reviews=("Fresh and crunchy, the cashews go first.", "My office loves them.", "A nice present, the box is pretty."),
    unlisted=("is {it} halal certified", "were the nuts in {it} picked by hand", "does {it} have palm oil from Malaysia",
              "what's the omega-3 in {it}", "is {it} ok on the keto plan of my doctor"),
    gifts=("a snack pouch", "a tea sample", "a greeting card"),
)  # fmt: skip
