"""Air conditioners, space heaters and robot vacuums."""

from __future__ import annotations

from lt_bench.builders.commerce_qa.en import shared
from lt_bench.builders.commerce_qa.schema import Category, Check, Faq, choice, flag, in_step, number

_BTU = number(
    "cooling_capacity", "Cooling capacity", "BTU", (7000, 8000, 9000, 10000, 12000, 14000),
    "{it} cools with {v}",
    ("how many BTU is {it}", "what's the cooling capacity of {it}", "how strong is {it} in BTU"),
    ("how many BTU", "BTU", "cooling capacity"), wins="cools more strongly", topic="power",
)  # fmt: skip
_ROOM = shared.room(16, 20, 24, 28, 32, 36)
_HEFT = shared.weight("kg", 22, 24, 26, 28, 31, 34)
_HEATING_POWER = shared.power(1000, 1200, 1500, 1800, 2000, 2200)
_HEATED = shared.room(10, 12, 15, 18, 20, 25)

AIR_CONDITIONER = Category(
    name="air_conditioner",
    noun="air conditioner",
    one="an air conditioner",
    plural="air conditioners",
    forms=("Breeze", "PolarFlow", "Cove", "Zephyr", "NorthAir", "CalmCool", "Frostline", "Glacier"),
    colors=("white", "silver", "graphite"),
    prices=(289, 799),
    attributes=(
        choice(
            "mode", "Functions", ("cooling and heating", "cooling and heating", "cooling and heating", "cooling only"),
            "{it} does {v}",
            ("does {it} also heat", "is {it} cooling only or does it heat too", "what modes does {it} have"),
            ("heating too|does {it} also heat", "cool only or heat too|is {it} cooling only or does it heat too", "heat and cool|does {it} heat and cool"), topic="power", want="that's {v}",
            accept={
                "cooling and heating": ("heating and cooling", "heats and cools", "cools and heats", "heats as well"),
                "cooling only": ("only cools", "cool-only", "cooling-only"),
            },
        ),
        _BTU,
        _ROOM,
        shared.noise(44, 46, 48, 50, 52, 54, 56, 58),
        choice(
            "energy_class", "Energy class", ("A+++", "A++", "A+", "A"), "{it} is in energy class {v}",
            ("what energy class is {it}", "what's the energy rating of {it}", "is {it} energy efficient, which class"),
            ("energy class", "energy rating"), topic="power",
        ),
        number(
            "hose_length", "Exhaust hose", "m", (1.2, 1.5, 1.8, 2.0), "{it} has an exhaust hose of {v}",
            ("how long is the hose on {it}", "what's the hose length of {it}"), ("hose length", "how long is the hose"),
            wins="has the longer hose", topic="install",
        ),
        _HEFT,
        shared.APP,
        flag(
            "self_evaporating", "Self-evaporating (no water tank)", "{it} evaporates its own water",
            "{it} does not evaporate its own water",
            ("does {it} evaporate the water by itself", "is {it} self-evaporating"),
            ("self evaporating", "does it evaporate its own water"), topic="comfort", want="that's self-evaporating",
        ),
        shared.warranty(12, 24, 36, 60),
    ),
    faqs=(
        Faq(("how often do I clean the filter", "how do I clean the filter", "filter cleaning, how often|how often do I clean the filter"),
            "Rinse the filter under cold water every two weeks and let it dry.", "every two weeks"),
        Faq(("do I need an electrician to install it", "can I install it myself", "who installs it"),
            "No installer is needed: the window kit is fitted by hand in about 20 minutes.", "no installer is needed",
            ("no installer needed", "don't need an installer", "you can fit it by hand", "fitted by hand")),
    ),
    reviews=("Cools the bedroom quickly and the window kit was easy.", "Good in the heat wave, the hose is a bit stiff.",
             "Rolls well on carpet and the remote is simple."),
    unlisted=("does {it} work on a solar generator", "is the gas in {it} safe for parrots", "can {it} run on a boat",
              "will {it} trip my old fuse box", "does {it} work above 2,500 metres altitude"),
    gifts=("a dust cover", "a spare filter", "a window seal"),
    agree=lambda values: in_step(values, _BTU, _ROOM, _HEFT),
)  # fmt: skip

HEATER = Category(
    name="heater",
    noun="space heater",
    one="a space heater",
    plural="space heaters",
    forms=("Ember", "Hearth", "Kindle Pro", "Solace", "Toasty", "WarmWave", "Glow", "Sunspot"),
    colors=("white", "black", "oak grey"),
    prices=(35, 189),
    attributes=(
        _HEATING_POWER,
        choice(
            "heating_element", "Heating element", ("ceramic", "oil-filled", "quartz", "carbon"), "{it} uses a {v} element",
            ("what kind of element does {it} use", "is {it} ceramic or oil", "what type of heater is {it}"),
            ("ceramic or oil", "what type", "which element"), topic="power", want="with a {v} element",
        ),
        _HEATED,
        shared.noise(30, 34, 36, 40, 43, 46),
        flag(
            "tip_over_switch", "Tip-over switch-off", "{it} switches off when tipped over",
            "{it} has no tip-over switch-off",
            ("does {it} switch off when it falls over", "does {it} have tip-over protection", "does {it} turn off if my cat knocks it over"),
            ("tip over protection", "safe if it falls over"), topic="safety", want="that switches off when tipped over",
        ),
        flag(
            "thermostat", "Thermostat", "{it} has a thermostat", "{it} has no thermostat",
            ("does {it} have a thermostat", "can I set the temperature on {it}"), ("thermostat", "set temperature"),
            topic="controls", want="with a thermostat",
        ),
        number(
            "cord_length", "Cord", "m", (1.2, 1.5, 1.8, 2.5), "{it} has a cord of {v}",
            ("how long is the cord on {it}", "what's the cable length of {it}"), ("cord length", "how long is the cable"),
            wins="has the longer cord", topic="body",
        ),
        shared.weight("kg", 1.8, 2.4, 3.1, 4.5, 6.2, 8.4),
        number(
            "timer", "Timer", "hours", (4, 8, 12, 24), "{it} has a timer of up to {v}",
            ("how long can I set the timer on {it}", "how many hours does the timer on {it} go to"),
            ("timer", "how long is the timer"), wins="has the longer timer", topic="controls",
        ),
        shared.warranty(12, 24, 36),
    ),
    faqs=(
        Faq(("can I use it in the bathroom", "is it ok in a bathroom", "bathroom use ok|can I use it in the bathroom"),
            "Do not use it in a bathroom or any other wet room.", "do not use it in a bathroom",
            ("don't use it in a bathroom", "not for the bathroom", "not in a bathroom", "not made for a bathroom")),
        Faq(("can I plug it into an extension cord", "does it work on a power strip", "extension cord ok|can I plug it into an extension cord"),
            "Plug it straight into a wall socket, never into an extension cord.", "straight into a wall socket"),
    ),
    reviews=("My study is warm in ten minutes.", "Looks nice, the buttons beep a bit loudly.", "Keeps my feet warm under the desk."),
    unlisted=("does {it} dry out the air", "is {it} ok for a greenhouse with orchids", "does {it} smell when it is new",
              "can I use {it} in a camper van", "does {it} interfere with hearing aids"),
    gifts=("a carry bag", "a dust brush", "a plug adapter"),
    agree=lambda values: in_step(values, _HEATING_POWER, _HEATED),
)  # fmt: skip

ROBOT_VACUUM = Category(
    name="robot_vacuum",
    noun="robot vacuum",
    one="a robot vacuum",
    plural="robot vacuums",
    forms=("Sweepo", "Orbit", "TidyBot", "Rover", "Dashline", "Nimbus", "Patrol", "Whirl"),
    colors=("white", "black"),
    prices=(159, 699),
    attributes=(
        number(
            "suction", "Suction", "Pa", (2500, 3000, 4000, 5000, 6000, 8000), "{it} has a suction of {v}",
            ("how strong is the suction of {it}", "how many Pa is {it}", "what's the suction power of {it}"),
            ("suction", "how many Pa", "suction power"), wins="has the stronger suction", topic="power",
        ),
        number(
            "runtime", "Runtime", "minutes", (90, 110, 120, 150, 180, 210), "{it} cleans for {v} on one charge",
            ("how long does {it} run", "how many minutes does {it} clean on one charge", "what's the runtime of {it}"),
            ("runtime", "how long does it run", "how many minutes"), wins="runs longer", topic="battery",
        ),
        flag(
            "mopping", "Mopping", "{it} mops as well", "{it} does not mop",
            ("does {it} mop too", "can {it} mop", "does {it} vacuum and mop"), ("mop too", "mopping", "can it mop"),
            topic="cleaning", want="that mops as well",
        ),
        flag(
            "self_emptying", "Self-emptying base", "{it} has a self-emptying base", "{it} has no self-emptying base",
            ("does {it} empty itself", "does {it} have a self-emptying base", "does {it} come with a base that empties it"),
            ("self emptying", "does it empty itself"), topic="cleaning", want="with a self-emptying base",
            values=(True, False),
        ),
        number(
            "height", "Height", "cm", (7.9, 8.2, 8.8, 9.6, 10.2), "{it} is {v} tall",
            ("how tall is {it}", "what's the height of {it}"), ("height", "how tall"),
            wins="is flatter", lower_wins=True, topic="body",
            check=Check("my sofa has {n} of space underneath", "will {it} fit under it", "at_most", yes="Yes, it will: {clause}.", no="No, it won't: {clause}."),
        ),
        shared.noise(55, 58, 60, 63, 65, 68),
        number(
            "dustbin", "Dustbin", "ml", (300, 400, 450, 500, 600), "{it} has a dustbin of {v}",
            ("how big is the dustbin of {it}", "how much dirt does {it} hold"), ("dustbin size", "how big is the bin"),
            wins="holds more dirt", topic="cleaning",
        ),
        choice(
            "navigation", "Navigation", ("laser mapping", "camera", "gyroscope"), "{it} uses {v} navigation",
            ("how does {it} navigate", "what navigation does {it} use", "does {it} make a map, what navigation is that"),
            ("navigation", "laser or camera"), topic="controls", want="with {v} navigation",
        ),
        flag(
            "works_with_alexa", "Works with Alexa", "{it} works with Alexa", "{it} does not work with Alexa",
            ("does {it} work with Alexa", "can I connect {it} to Alexa"), ("Alexa", "Alexa ok"), topic="compatibility",
            want="that works with Alexa", leads=(("I've got Alexa at home", "can I use {it} with that"),),
        ),
        shared.APP,
        shared.warranty(12, 24, 36),
    ),
    faqs=(
        Faq(("how often do I change the brush", "when do I replace the brush", "brush replacement|how often do I change the brush"),
            "Replace the side brush every three months.", "every three months"),
        Faq(("is it ok for dog hair", "does it do pet hair", "pet hair ok|is it ok for dog hair"),
            "Yes, the rubber roller is made for pet hair and does not tangle.", "made for pet hair",
            ("handles pet hair", "fine with pet hair")),
    ),
    reviews=("Finds its way around chair legs nicely.", "The carpet looks new, though it got stuck on a cable once.",
             "My two cats ride on it."),
    unlisted=("can {it} climb stairs", "does {it} work on a glass floor", "does {it} understand Polish voice commands",
              "can I use {it} in my garage", "does {it} sell my floor map"),
    gifts=("a set of spare brushes", "a cleaning tool", "a spare filter"),
)  # fmt: skip
