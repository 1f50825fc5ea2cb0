"""Down jackets, running shoes and leggings, with their size charts."""

from __future__ import annotations

from lt_bench.builders.commerce_qa.en import shared
from lt_bench.builders.commerce_qa.schema import Category, Chart, Faq, Size, choice, flag, number


def _sizes(names: str, *columns: tuple[str, int, int, int]) -> tuple[Size, ...]:
    """Neighbouring sizes from columns (measure, start, width, step); the ranges do not overlap."""
    words = {"XS": "extra small", "S": "small", "M": "medium", "L": "large", "XL": "extra large"}
    made = []
    for i, name in enumerate(names.split()):
        ranges = tuple(
            (m, start + i * step, start + i * step + width) for m, start, width, step in columns
        )
        made.append(
            Size(name, ranges, (f"size {name}", *((words[name],) if name in words else ())))
        )
    return tuple(made)


JACKET = Category(
    name="down_jacket",
    noun="down jacket",
    one="a down jacket",
    plural="down jackets",
    forms=("Drift", "Summit", "Alder", "Aurora", "Cloudline", "Fjord", "Tundra", "Birch"),
    colors=("black", "olive", "sand", "burgundy", "sky blue"),
    prices=(69, 289),
    attributes=(
        choice(
            "filling", "Filling", ("goose down", "duck down", "recycled fibre"), "{it} is filled with {v}",
            ("what's {it} filled with", "is {it} real down", "what filling does {it} have"), ("filling", "real down"),
            topic="warmth", want="filled with {v}",
        ),
        number(
            "fill_power", "Fill power", "cuin", (550, 600, 650, 700, 750, 800), "{it} has a fill power of {v}",
            ("what's the fill power of {it}", "how many cuin is {it}"), ("fill power",),
            wins="has the higher fill power", topic="warmth",
        ),
        number(
            "comfort_temperature", "Comfortable down to", "°C", (-20, -15, -12, -10, -5), "{it} keeps you warm down to {v}",
            ("how cold can it get with {it}", "down to what temperature is {it} ok", "is {it} warm enough for minus degrees, how low"),
            ("how cold", "how warm", "down to what temp"), wins="is warmer", lower_wins=True, topic="warmth",
        ),
        flag(
            "waterproof", "Waterproof", "{it} is waterproof", "{it} is not waterproof",
            ("is {it} waterproof", "can I wear {it} in the rain", "does {it} keep the rain out"), ("waterproof", "rain ok"),
            topic="weather", want="that's waterproof",
        ),
        flag(
            "removable_hood", "Removable hood", "{it} has a removable hood", "{it} has no removable hood",
            ("can I take the hood off {it}", "is the hood of {it} removable"), ("removable hood", "hood comes off"),
            topic="weather", want="with a removable hood",
        ),
        flag(
            "machine_washable", "Machine washable", "{it} is machine washable", "{it} is not machine washable",
            ("can I machine wash {it}", "is {it} machine washable", "can {it} go in the washing machine"),
            ("machine washable", "washing machine ok"), topic="care", want="that's machine washable",
        ),
        number(
            "pockets", "Pockets", "pockets", (2, 3, 4, 5), "{it} has {v}",
            ("how many pockets does {it} have", "are there inside pockets in {it}, how many in total"), ("how many pockets", "pockets"),
            wins="has more pockets", topic="weather",
        ),
        choice(
            "cut", "Cut", ("slim", "regular", "loose"), "{it} has a {v} cut",
            ("is {it} slim or loose", "what cut is {it}"), ("slim or loose|is {it} slim or loose", "which cut"),
            topic="fit", want="with a {v} cut",
        ),
        choice(
            "material", "Shell material", ("nylon", "polyester", "recycled polyester"), "{it} has a shell of {v}",
            ("what's the shell of {it} made of", "what shell material does {it} have", "what's the outside of {it} made of"),
            ("shell material", "what's the shell made of", "outer fabric"), topic="body", field="material", want="with a {v} shell",
        ),
        shared.weight("g", 380, 450, 520, 640, 790),
        shared.made_in("Vietnam", "China", "Portugal"),
    ),
    faqs=(
        Faq(("how do I dry it", "can it go in the dryer", "dryer ok|how do I dry it"),
            "Tumble dry on low heat with two tennis balls.", "low heat"),
        Faq(("do I take a size up for a thick sweater", "does it fit over a hoodie", "room for a sweater underneath|do I take a size up for a thick sweater"),
            "There is room for a sweater underneath in your normal size.", "your normal size",
            ("normal size", "usual size")),
    ),
    reviews=("Light as a pillow and warm.", "True to colour, the zip is smooth.", "Wore it skiing and was fine."),
    unlisted=("are the geese for {it} live-plucked or not", "does {it} have RFID pockets", "is {it} fireproof near a campfire",
              "does {it} come in a kids version", "will {it} shed feathers after a year"),
    gifts=("a wash bag", "a pair of gloves", "a storage bag"),
    chart=Chart(
        units={"height": "cm", "weight": "kg"},
        sizes=_sizes("XS S M L XL", ("height", 150, 6, 7), ("weight", 42, 7, 8)),
        tell=("I'm {height} and {weight}", "{height}, {weight}", "I am {height} tall and weigh {weight}", "my height is {height}, weight {weight}"),
        tell_other=("I'm {height} and {weight}", "{height}, {weight}", "I'm {height} tall, {weight}"),
    ),
)  # fmt: skip

SHOES = Category(
    name="running_shoes",
    noun="running shoes",
    one="a pair of running shoes",
    plural="running shoes",
    forms=("Cadence", "Tarmac", "Fleet", "Hare", "Milestone", "Kite", "Stride", "Racer"),
    colors=("black", "white", "coral", "lime", "navy"),
    prices=(49, 179),
    pair=True,
    attributes=(
        number(
            "drop", "Heel-to-toe drop", "mm", (0, 4, 6, 8, 10, 12), "{it} has a drop of {v}",
            ("what's the drop of {it}", "how many mm drop does {it} have"), ("drop", "heel drop"), topic="fit",
            wins="has the lower drop", lower_wins=True,
        ),
        shared.weight("g", 198, 220, 245, 262, 280, 305),
        choice(
            "surface", "Made for", ("road", "trail", "treadmill"), "{it} is made for {v} running",
            ("is {it} for road or trail", "what ground is {it} made for", "can I run in the woods with {it} or is it for road"),
            ("road or trail", "for which surface"), topic="use", want="for {v} running",
        ),
        choice(
            "width", "Width", ("narrow", "regular", "wide"), "{it} has a {v} fit",
            ("is {it} wide or narrow", "how wide is {it}"), ("wide or narrow", "wide fit"), topic="fit",
            want="with a {v} fit",
        ),
        flag(
            "waterproof", "Waterproof", "{it} is waterproof", "{it} is not waterproof",
            ("is {it} waterproof", "do my feet stay dry in {it}", "can I run in the rain in {it}"), ("waterproof", "rain ok"),
            topic="use", want="that's waterproof", values=(True, False),
        ),
        flag(
            "reflective", "Reflective strips", "{it} has reflective strips", "{it} has no reflective strips",
            ("does {it} have reflectors", "is {it} reflective for night runs"), ("reflective",), topic="use",
            want="with reflective strips",
        ),
        choice(
            "cushioning", "Cushioning", ("soft", "balanced", "firm"), "{it} has {v} cushioning",
            ("how soft is {it}", "what cushioning does {it} have", "is {it} soft or firm"), ("soft or firm", "cushioning"),
            topic="fit", want="with {v} cushioning",
        ),
        number(
            "mileage", "Lasts about", "km", (500, 600, 700, 800), "{it} lasts about {v}",
            ("how many km can I run in {it}", "how long does {it} last in km"), ("how many km", "mileage"),
            wins="lasts longer", topic="use",
        ),
        flag(
            "insole_removable", "Removable insole", "{it} has a removable insole", "{it} has no removable insole",
            ("can I take the insole out of {it}", "does my own insole fit {it}, is the insole removable"), ("removable insole",),
            topic="fit", want="with a removable insole",
        ),
        shared.made_in("Vietnam", "Indonesia", "Portugal"),
    ),
    faqs=(
        Faq(("can I put them in the washing machine", "how do I clean them", "washing machine ok|can I put them in the washing machine"),
            "Wash them by hand with a soft brush, not in the machine.", "by hand"),
        Faq(("do they come with spare laces", "spare laces|do they come with spare laces", "extra laces|do they come with spare laces"),
            "A second pair of laces is in the box.", "a second pair of laces", ("second pair of laces", "extra pair of laces", "spare pair of laces")),
    ),
    reviews=("Ran a half marathon without a blister.", "Grippy on wet leaves.", "Toe box is roomy, laces a bit long."),
    unlisted=("is {it} ok for flat feet according to a doctor", "is {it} vegan leather free certified", "can I play padel in {it}",
              "is {it} approved for marathons by the federation", "does {it} squeak on gym floors"),
    gifts=("a pair of socks", "a shoe bag", "spare laces"),
    chart=Chart(
        units={"foot": "mm"},
        sizes=_sizes("38 39 40 41 42 43 44", ("foot", 238, 5, 6)),
        tell=("my foot is {foot}", "my foot is {foot} long", "I measured {foot} heel to toe", "{foot} foot length"),
        tell_other=("my foot is {foot}", "my foot is {foot} long", "I measured {foot} heel to toe"),
    ),
)  # fmt: skip

LEGGINGS = Category(
    name="leggings",
    noun="leggings",
    one="a pair of leggings",
    plural="leggings",
    forms=("Flow", "Contour", "Lotus", "Motion", "Studio", "Ease", "Arc", "Willow"),
    colors=("black", "plum", "forest green", "dusty pink", "charcoal"),
    prices=(19, 89),
    pair=True,
    attributes=(
        choice(
            "length", "Length", ("full length", "7/8", "capri"), "{it} is cut {v}",
            ("what length is {it}", "how long is {it}, full length or capri"), ("full length or capri", "which length"),
            topic="fit", want="cut {v}",
        ),
        choice(
            "waist", "Waist", ("high waist", "mid waist"), "{it} has a {v}",
            ("what kind of waist does {it} have", "is {it} high waisted"), ("high waist", "waist"), topic="fit", want="with a {v}",
        ),
        flag(
            "squat_proof", "Squat-proof", "{it} is squat-proof", "{it} is not squat-proof",
            ("is {it} squat proof", "is {it} squat-proof for deadlifts", "does {it} stay opaque when I bend"),
            ("squat proof", "opaque when I bend"), topic="fabric", want="that's squat-proof",
        ),
        number(
            "pockets", "Pockets", "pockets", (1, 2, 3), "{it} has {v}",
            ("how many pockets does {it} have", "does {it} have a phone pocket, how many"), ("pockets", "how many pockets"),
            wins="has more pockets", topic="use",
        ),
        number(
            "elastane", "Elastane share", "%", (12, 18, 20, 22, 25, 28), "{it} has {v} elastane",
            ("how much elastane is in {it}", "how stretchy is {it}, how much elastane"), ("elastane", "how stretchy"),
            wins="is stretchier", topic="fabric",
        ),
        shared.material("nylon", "polyester", "cotton"),
        flag(
            "quick_dry", "Quick-drying", "{it} dries quickly", "{it} does not dry quickly",
            ("does {it} dry fast", "is {it} quick dry for hot yoga"), ("quick dry",), topic="fabric", want="that dries quickly",
        ),
        flag(
            "machine_washable", "Machine washable", "{it} is machine washable", "{it} is not machine washable",
            ("can I machine wash {it}", "is {it} ok in the washing machine"), ("machine wash", "washing machine ok"),
            topic="care", want="that's machine washable",
        ),
        choice(
            "best_for", "Best for", ("yoga", "running", "everyday wear", "weight training"), "{it} is best for {v}",
            ("what is {it} best for", "is {it} more for yoga or running"), ("yoga or running", "best for"), topic="use", want="for {v}",
        ),
        shared.made_in("Turkey", "China", "Portugal"),
    ),
    faqs=(
        Faq(("do they fade", "does the colour fade", "does it lose colour"),
            "Wash them inside out at 30 °C and the colour stays.", "inside out"),
        Faq(("do they work for pregnancy", "are they ok when pregnant", "pregnancy friendly|do they work for pregnancy"),
            "They are not made for pregnancy; the waistband is firm.", "not made for pregnancy",
            ("aren't made for pregnancy", "not for pregnancy", "not meant for pregnancy")),
    ),
    reviews=("Stay up through the whole class.", "Soft inside and they kept their colour.", "My favourite for the gym."),
    unlisted=("does {it} smell after a workout", "is {it} dyed with plant colours", "is {it} thick enough for skating in winter",
              "do you have {it} in petite", "does {it} pill after a month"),
    gifts=("a hair band", "a wash bag", "a pair of grip socks"),
    chart=Chart(
        units={"waist": "cm", "hips": "cm"},
        sizes=_sizes("XS S M L XL", ("waist", 58, 5, 6), ("hips", 84, 5, 6)),
        tell=("my waist is {waist}, hips {hips}", "waist {waist}, hips {hips}", "I measure {waist} at the waist and {hips} at the hips"),
        tell_other=("my waist is {waist}, hips {hips}", "waist {waist} and hips {hips}"),
    ),
)  # fmt: skip
