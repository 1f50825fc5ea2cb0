"""Face serums and backpacks."""

from __future__ import annotations

from lt_bench.builders.commerce_qa.en import shared
from lt_bench.builders.commerce_qa.schema import Category, Check, Faq, choice, flag, number

SERUM = Category(
    name="face_serum",
    noun="face serum",
    one="a face serum",
    plural="face serums",
    forms=("Dew", "Halo", "Calm", "Bare", "Petal", "Silk", "Clarity", "Nectar"),
    colors=(),
    prices=(14, 89),
    attributes=(
        number(
            "volume", "Volume", "ml", (15, 20, 30, 40, 50), "{it} holds {v}",
            ("how many ml is {it}", "how big is the bottle of {it}", "what size is the bottle of {it}"), ("how many ml", "bottle size"),
            wins="has more in it", topic="content",
        ),
        choice(
            # None of those that it may or may not be used with, below.
            "key_ingredient", "Key ingredient", ("niacinamide", "azelaic acid", "hyaluronic acid", "ceramides", "peptides"),
            "{it} contains {v}",
            ("what's the main ingredient of {it}", "what's in {it}", "which active does {it} use"), ("main ingredient", "what's in it"),
            topic="content", want="with {v}",
        ),
        choice(
            "skin_type", "Skin type", ("dry skin", "oily skin", "combination skin", "sensitive skin"), "{it} is made for {v}",
            ("what skin type is {it} for", "which skin is {it} good for"), ("which skin type", "skin type"), topic="skin", want="for {v}",
        ),
        flag(
            "fragrance_free", "Fragrance-free", "{it} is fragrance-free", "{it} is not fragrance-free",
            ("is {it} fragrance free", "is {it} free of perfume"), ("fragrance free", "free of perfume"),
            topic="skin", want="that's fragrance-free",
        ),
        flag(
            "vegan", "Vegan", "{it} is vegan", "{it} is not vegan", ("is {it} vegan", "is {it} free of animal products"),
            ("vegan",), topic="content", want="that's vegan",
        ),
        choice(
            "use_time", "When to use", ("in the morning", "in the evening", "morning and evening"), "{it} is for use {v}",
            ("when do I use {it}", "is {it} for the morning or evening"), ("morning or evening|is {it} for the morning or evening", "when to use"), topic="routine",
        ),
        number(
            "concentration", "Active share", "%", (2, 3, 5, 8, 10, 15), "{it} contains {v} actives",
            ("what percent of actives is in {it}", "how strong is {it}, how many percent"), ("how many percent", "what percent"),
            wins="is stronger", topic="content",
        ),
        number(
            "shelf_life", "Keeps after opening", "months", (3, 6, 9, 12), "{it} keeps for {v} after opening",
            ("how long does {it} keep once it's open", "how long is {it} good after opening"), ("how long after opening", "shelf life"),
            wins="keeps longer", topic="routine",
        ),
        choice(
            "texture", "Texture", ("water-light", "gel", "creamy", "milky"), "{it} has a {v} texture",
            ("what texture does {it} have", "is {it} oily or watery, which texture"), ("texture",), topic="skin", want="with a {v} texture",
        ),
        shared.made_in("Korea", "France", "Japan"),
        flag(
            "with_retinol", "Can be used with retinol", "{it} can be used with retinol", "{it} should not be used with retinol",
            ("can I use {it} with retinol", "does {it} go together with retinol"), ("with retinol ok",), topic="compatibility",
            leads=(("I already use retinol", "can I use {it} on top"),), want="that goes with retinol",
        ),
        flag(
            "with_vitamin_c", "Can be used with vitamin C", "{it} can be used with vitamin C",
            "{it} should not be used with vitamin C",
            ("can I layer {it} with vitamin C", "is {it} ok with vitamin C"), ("with vitamin C ok",), topic="compatibility",
            leads=(("I have a vitamin C cream", "can I use {it} together with it"),), want="that goes with vitamin C",
        ),
    ),
    faqs=(
        Faq(("how many drops do I use", "how much do I put on", "how many drops"),
            "Three drops are enough for face and neck.", "three drops", ("3 drops",)),
        Faq(("before or after moisturiser", "does it go under cream", "which order with cream|before or after moisturiser"),
            "Put it on before your moisturiser.", "before your moisturiser", ("before moisturiser", "before the moisturiser")),
    ),
    reviews=("My skin drinks it.", "No sticky film under make-up.", "Glass bottle, the pipette is handy."),
    unlisted=("is {it} ok while pregnant", "does {it} fade tattoos", "is {it} ok after laser", "can I use {it} on my eyelids",
              "has {it} been tested on acne scars"),
    gifts=("a sheet mask", "a mini cleanser", "a jade roller"),
)  # fmt: skip

BACKPACK = Category(
    name="backpack",
    noun="backpack",
    one="a backpack",
    plural="backpacks",
    forms=("Transit", "Nomad", "Campus", "Ridge", "Metro", "Voyager", "Pilot", "Harbor"),
    colors=("black", "grey", "mustard", "teal"),
    prices=(35, 169),
    attributes=(
        number(
            "capacity", "Volume", "litres", (16, 18, 20, 22, 25, 28, 32, 40), "{it} holds {v}",
            ("how many litres is {it}", "how much fits in {it}", "what's the volume of {it}"), ("how many litres", "volume", "how big"),
            wins="holds more", topic="size", check=Check("I need {n} for a weekend trip", "is {it} big enough", yes="Yes, big enough: {clause}.", no="No, too small: {clause}."),
        ),
        number(
            "laptop_size", "Laptop sleeve up to", "inches", (13, 14, 15.6, 16, 17), "{it} takes laptops up to {v}",
            ("what laptop size fits {it}", "how big a laptop can {it} take"), ("laptop size", "which laptop fits"),
            wins="takes a bigger laptop", topic="size", check=Check("my laptop is {n}", "does it fit in {it}", yes="Yes, it fits: {clause}.", no="No, too big: {clause}."),
        ),
        flag(
            "waterproof", "Waterproof", "{it} is waterproof", "{it} is not waterproof",
            ("is {it} waterproof", "does my stuff stay dry in {it}", "can I use {it} in the rain"), ("waterproof", "rain ok"),
            topic="weather", want="that's waterproof",
        ),
        flag(
            "cabin_size", "Cabin size", "{it} is cabin size", "{it} is not cabin size",
            ("can I take {it} on a plane as hand luggage", "is {it} cabin size"), ("cabin size", "ok as hand luggage"),
            topic="travel", want="that's cabin size",
        ),
        flag(
            "usb_port", "USB port", "{it} has a USB port", "{it} has no USB port",
            ("does {it} have a USB port", "can I charge my phone on {it}, is there a USB port"), ("USB port", "usb"),
            topic="travel", want="with a USB port", values=(True, False),
        ),
        flag(
            "luggage_strap", "Luggage strap", "{it} has a luggage strap", "{it} has no luggage strap",
            ("does {it} have a strap for my suitcase", "can {it} sit on a trolley, is there a luggage strap"), ("luggage strap",),
            topic="travel", want="with a luggage strap",
        ),
        number(
            "pockets", "Pockets", "pockets", (5, 6, 8, 9, 11, 14), "{it} has {v}",
            ("how many pockets does {it} have", "how many compartments are in {it}"), ("how many pockets", "pockets"),
            wins="has more pockets", topic="size",
        ),
        shared.material("nylon", "canvas", "recycled polyester", "leather"),
        shared.weight("kg", 0.6, 0.7, 0.9, 1.1, 1.3),
        choice(
            "opening", "Opening", ("full zip", "roll top", "drawstring"), "{it} opens with a {v}",
            ("how does {it} open", "does {it} open all the way, zip or roll top"), ("how does it open", "zip or roll top"),
            topic="weather", want="with a {v}",
        ),
        flag(
            "fits_bladder", "Fits a hydration bladder", "{it} fits a hydration bladder", "{it} does not fit a hydration bladder",
            ("does a hydration bladder fit in {it}", "is {it} ok for a hydration bladder"), ("hydration bladder ok",), topic="compatibility",
            leads=(("I hike with a hydration bladder", "does that go in {it}"),), want="that fits a hydration bladder",
        ),
        shared.warranty(12, 24, 60),
    ),
    faqs=(
        Faq(("how do I wash it", "machine wash ok|how do I wash it", "can I wash it"),
            "Wash it by hand with cool water and let it dry open.", "by hand"),
        Faq(("does it stand up by itself", "does it fall over", "will it stand on its own"),
            "Yes, the stiff base lets it stand on its own.", "stand on its own", ("stands on its own", "stands by itself", "stand by itself")),
    ),
    reviews=("My whole office fits inside.", "Zips feel solid, straps are soft.", "Went through airport checks without trouble."),
    unlisted=("can a small dog sit in {it}", "is {it} slash proof", "does {it} fit under the seat of a Ryanair plane for free",
              "is the leather of {it} tanned without chrome", "does {it} have a hidden airtag pocket"),
    # Whatever is small may go on board.
    agree=lambda values: {"cabin_size": True} if float(values["capacity"]) < 32 else {},
    gifts=("a rain cover", "a key ring", "a cable pouch"),
)  # fmt: skip
