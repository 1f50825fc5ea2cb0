"""What can be true in the invented world of the multi-hop rows, and how it is said and asked.

A relation leads from a subject to an object: another entity or a figure. Even wordings of `noun`
and `ask` serve the test split, odd ones all others, so that no question template is shared.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Relation:
    """`say` states {o} of {s}; `noun` names the object by its subject {x}; `ask` asks for it."""

    subject: str
    name: str
    object: str
    say: tuple[str, ...]
    noun: tuple[str, ...]
    ask: tuple[str, ...]


@dataclass(frozen=True)
class Kind:
    """Forms of a name around a root (a leading "the" is no part of the name), what to call it
    later, and sentences that state nothing anyone asks for."""

    forms: tuple[str, ...]
    mention: str
    opening: tuple[str, ...]
    filler: tuple[str, ...]


@dataclass(frozen=True)
class Composed:
    """The kinds of the two parts, the name made of theirs, and how a question speaks of it."""

    parts: tuple[str, str]
    name: str
    asked: str


KINDS: dict[str, Kind] = {
    "person": Kind(
        ("{given} {root}",),
        "{last}",
        ("{s} is known for a long public career.", "{s} has been in the news for two decades.", "{s} is a well-travelled public figure."),
        ("A short biography appeared last spring.", "{m} speaks four languages and collects maps.", "Several interviews with {m} are kept in the national archive."),
    ),
    "town": Kind(
        ("{root}", "Port {root}", "{root} Hill", "Upper {root}"),
        "the town",
        ("{s} is a market town on the northern plain.", "{s} is a town known for its tiled roofs.", "{s} grew up around an old toll road."),
        ("A weekly market fills the square on Fridays.", "Most of the old walls were taken down long ago.", "Trams have run here since the first paved street."),
    ),
    "river": Kind(
        ("the River {root}",),
        "the river",
        ("{s} is a slow river with wide bends.", "{s} carries more gravel than any of its neighbours."),
        ("Herons nest along its lower course.", "Barges were the main traffic until the railway came.", "Its water is clear except after the snow melts."),
    ),
    "lake": Kind(
        ("Lake {root}",),
        "the lake",
        ("{s} is a cold freshwater lake.", "{s} fills a valley cut by ice."),
        ("Small ferries cross it in summer.", "It freezes over in most winters."),
    ),
    "mountain": Kind(
        ("Mount {root}", "{root} Peak"),
        "the mountain",
        ("{s} is a broad mountain of dark stone.", "{s} can be seen from three provinces."),
        ("A hut stands on its southern ridge.", "The upper slopes are closed during the lambing season."),
    ),
    "company": Kind(
        ("{root} Instruments", "{root} Textiles", "{root} Foods", "{root} Shipping", "{root} Press"),
        "the company",
        ("{s} is a privately held company.", "{s} is a firm with a long order book.", "{s} began as a workshop with six benches."),
        ("Its annual report is printed on recycled paper.", "The workforce has doubled in ten years.", "Its logo shows a heron above three waves."),
    ),
    "book": Kind(
        ("The Lantern of {root}", "A Winter in {root}", "Letters to {root}", "The {root} Inheritance"),
        "the book",
        ("{s} is a novel in three parts.", "{s} is a book that sold slowly at first.", "{s} is a much translated novel."),
        ("Critics praised its quiet last chapter.", "A revised edition dropped the preface.", "The cover shows an empty boat."),
    ),
    "film": Kind(
        ("The Road from {root}", "Night over {root}", "{root} at Noon"),
        "the film",
        ("{s} is a drama shot in black and white.", "{s} is a film about two rival families."),
        ("It was shown out of competition at two festivals.", "The longest scene was filmed in a single take."),
    ),
    "team": Kind(
        ("{root} Rovers", "{root} Harriers", "{root} Athletic"),
        "the club",
        ("{s} is a football club in the second division.", "{s} is a club with green and white stripes."),
        ("Its anthem is sung before every home match.", "The junior squad has won the regional shield twice."),
    ),
    "university": Kind(
        ("the University of {root}", "{root} College"),
        "the university",
        ("{s} is a research university.", "{s} is best known for its school of forestry."),
        ("Its library keeps a large collection of sea charts.", "Lectures are held in five languages."),
    ),
    "bridge": Kind(
        ("{root} Bridge",),
        "the bridge",
        ("{s} is a stone arch bridge.", "{s} is a steel bridge painted dark red."),
        ("It was closed for repairs after a flood.", "Cyclists use a lane on its eastern side."),
    ),
    "museum": Kind(
        ("the {root} Museum", "the {root} Gallery"),
        "the museum",
        ("{s} is a museum of crafts and tools.", "{s} is a gallery with a glass courtyard."),
        ("Entry is free on the first Sunday of a month.", "A new wing is planned."),
    ),
    "office": Kind(
        (),
        "the office",
        ("{s} is one of several offices of the firm.", "{s} handles orders from abroad."),
        ("It shares a courtyard with a bakery.", "Visitors must sign a paper register."),
    ),
    "railway": Kind(
        (),
        "the line",
        ("{s} is a single-track line.", "{s} carries both timber and passengers."),
        ("Two of its stations are listed buildings.", "Trains run every ninety minutes."),
    ),
}  # fmt: skip

COMPOSED: dict[str, Composed] = {
    "office": Composed(("company", "town"), "the {0} office in {1}", "the office of {0} in {1}"),
    "railway": Composed(
        ("town", "town"), "the railway between {0} and {1}", "the railway between {0} and {1}"
    ),
}
"""Kinds whose name joins two entities, so that a question about one needs both."""

_ = Relation
RELATIONS: tuple[Relation, ...] = (
    _("book", "author", "person", ("{o} wrote {s}.", "{s} was written by {o}.", "The author of {s} is {o}."), ("the author of {x}", "the writer of {x}"), ("Who is the author of {x}?", "Who wrote {x}?")),
    _("book", "illustrator", "person", ("{o} drew the pictures for {s}.", "{s} was illustrated by {o}."), ("the illustrator of {x}", "the artist who drew the pictures for {x}"), ("Who is the illustrator of {x}?", "Who drew the pictures for {x}?")),
    _("book", "publisher", "company", ("{o} published {s}.", "{s} was brought out by {o}."), ("the publisher of {x}", "the company that brought out {x}"), ("Which company is the publisher of {x}?", "Who brought out {x}?")),
    _("film", "director", "person", ("{o} directed {s}.", "{s} was directed by {o}."), ("the director of {x}", "the person who directed {x}"), ("Who is the director of {x}?", "Who directed {x}?")),
    _("film", "composer", "person", ("The music for {s} is by {o}.", "{o} composed the score of {s}."), ("the composer of the music for {x}", "the person who scored {x}"), ("Who is the composer of the music for {x}?", "Who scored {x}?")),
    _("film", "studio", "company", ("{s} was produced by {o}.", "{o} paid for the making of {s}."), ("the company that produced {x}", "the producer of {x}"), ("Which company produced {x}?", "Who was the producer of {x}?")),
    _("team", "coach", "person", ("{o} coaches {s}.", "The head coach of {s} is {o}."), ("the head coach of {x}", "the person who coaches {x}"), ("Who is the head coach of {x}?", "Who coaches {x}?")),
    _("team", "captain", "person", ("{s} is captained by {o}.", "{o} wears the captain's armband of {s}."), ("the captain of {x}", "the player who captains {x}"), ("Who is the captain of {x}?", "Who captains {x}?")),
    _("team", "home", "town", ("{s} plays its home matches in {o}.", "The home ground of {s} is in {o}."), ("the town where {x} plays its home matches", "the home town of {x}"), ("In which town does {x} play its home matches?", "What is the home town of {x}?")),
    _("team", "sponsor", "company", ("{o} is the shirt sponsor of {s}.", "{s} is sponsored by {o}."), ("the shirt sponsor of {x}", "the company that sponsors {x}"), ("Which company is the shirt sponsor of {x}?", "Who sponsors {x}?")),
    _("person", "birthplace", "town", ("{s} was born in {o}.", "The birthplace of {s} is {o}."), ("the town where {x} was born", "the birthplace of {x}"), ("In which town was {x} born?", "What is the birthplace of {x}?")),
    _("person", "residence", "town", ("{s} now lives in {o}.", "{s} later settled in {o}."), ("the town where {x} now lives", "the home of {x}"), ("In which town does {x} now live?", "Where is the home of {x}?")),
    _("person", "university", "university", ("{s} studied at {o}.", "{s} holds a degree from {o}."), ("the university where {x} studied", "the university that gave {x} a degree"), ("Where did {x} study?", "Which university gave {x} a degree?")),
    _("person", "employer", "company", ("{s} works for {o}.", "{o} employs {s} as an adviser."), ("the company that {x} works for", "the employer of {x}"), ("Which company does {x} work for?", "Who is the employer of {x}?")),
    _("person", "teacher", "person", ("{s} was taught by {o}.", "{o} was the teacher of {s}."), ("the teacher of {x}", "the person who taught {x}"), ("Who was the teacher of {x}?", "Who taught {x}?")),
    _("person", "birth year", "year", ("{s} was born in the year {o}.", "The parish register gives {o} as the birth year of {s}."), (), ("In what year was {x} born?", "What is the birth year of {x}?")),
    _("town", "mayor", "person", ("{o} is the mayor of {s}.", "The mayor of {s} is {o}."), ("the mayor of {x}", "the person who is mayor of {x}"), ("Who is the mayor of {x}?", "Which person is mayor of {x}?")),
    _("town", "founder", "person", ("{s} was founded by {o}.", "{o} founded {s}."), ("the founder of {x}", "the person who founded {x}"), ("Who is the founder of {x}?", "Who founded {x}?")),
    _("town", "river", "river", ("{s} lies on {o}.", "{o} flows through {s}."), ("the river that flows through {x}", "the river on which {x} lies"), ("Which river flows through {x}?", "On which river does {x} lie?")),
    _("town", "population", "people", ("{s} has {o} inhabitants.", "The last census counted {o} people in {s}."), (), ("How many inhabitants does {x} have?", "What is the population of {x}?")),
    _("river", "source", "mountain", ("{s} rises on {o}.", "The source of {s} is on {o}."), ("the mountain on which {x} rises", "the mountain that holds the source of {x}"), ("On which mountain does {x} rise?", "Which mountain holds the source of {x}?")),
    _("river", "mouth", "lake", ("{s} flows into {o}.", "{s} ends in {o}."), ("the lake into which {x} flows", "the lake where {x} ends"), ("Into which lake does {x} flow?", "In which lake does {x} end?")),
    _("river", "length", "length", ("{s} is {o} long.", "The length of {s} is {o}."), (), ("How long is {x}?", "What is the length of {x}?")),
    _("lake", "nearest town", "town", ("The nearest town to {s} is {o}.", "{o} is the town closest to {s}."), ("the town nearest to {x}", "the town closest to {x}"), ("Which town is nearest to {x}?", "Which town lies closest to {x}?")),
    _("lake", "depth", "height", ("{s} is {o} deep.", "The greatest depth of {s} is {o}."), (), ("How deep is {x}?", "What is the greatest depth of {x}?")),
    _("mountain", "first climber", "person", ("{s} was first climbed by {o}.", "{o} was the first to climb {s}."), ("the first person to climb {x}", "the first climber of {x}"), ("Who was the first person to climb {x}?", "Who was the first climber of {x}?")),
    _("mountain", "height", "height", ("{s} is {o} high.", "The summit of {s} stands at {o}."), (), ("How high is {x}?", "What is the height of {x}?")),
    _("company", "founder", "person", ("{s} was founded by {o}.", "{o} started {s} with a small loan."), ("the founder of {x}", "the person who started {x}"), ("Who is the founder of {x}?", "Who started {x}?")),
    _("company", "chief executive", "person", ("{o} is the chief executive of {s}.", "{s} is led by {o}."), ("the chief executive of {x}", "the person who leads {x}"), ("Who is the chief executive of {x}?", "Who leads {x}?")),
    _("company", "headquarters", "town", ("{s} has its headquarters in {o}.", "The head office of {s} is in {o}."), ("the town where {x} has its headquarters", "the headquarters town of {x}"), ("In which town does {x} have its headquarters?", "What is the headquarters town of {x}?")),
    _("company", "parent", "company", ("{s} is owned by {o}.", "{o} is the parent company of {s}."), ("the company that owns {x}", "the parent company of {x}"), ("Which company owns {x}?", "What is the parent company of {x}?")),
    _("company", "founding year", "year", ("{s} opened for business in {o}.", "The founding year of {s} is {o}."), (), ("In what year did {x} open for business?", "What is the founding year of {x}?")),
    _("university", "founder", "person", ("{s} was founded by {o}.", "{o} founded {s}."), ("the founder of {x}", "the person who founded {x}"), ("Who is the founder of {x}?", "Who founded {x}?")),
    _("university", "rector", "person", ("{o} is the rector of {s}.", "{s} is headed by {o}."), ("the rector of {x}", "the person who heads {x}"), ("Who is the rector of {x}?", "Who heads {x}?")),
    _("university", "town", "town", ("{s} stands in {o}.", "The campus of {s} is in {o}."), ("the town where {x} stands", "the town with the campus of {x}"), ("In which town does {x} stand?", "Which town has the campus of {x}?")),
    _("university", "students", "people", ("{s} has {o} students.", "{o} students are enrolled at {s}."), (), ("How many students does {x} have?", "What is the number of students at {x}?")),
    _("bridge", "designer", "person", ("{s} was designed by {o}.", "{o} drew the plans for {s}."), ("the designer of {x}", "the person who drew the plans for {x}"), ("Who is the designer of {x}?", "Who drew the plans for {x}?")),
    _("bridge", "river", "river", ("{s} crosses {o}.", "{s} spans {o}."), ("the river that {x} crosses", "the river under {x}"), ("Which river does {x} cross?", "Which river runs under {x}?")),
    _("bridge", "contractor", "company", ("{s} was built by {o}.", "{o} was the contractor for {s}."), ("the company that built {x}", "the contractor for {x}"), ("Which company built {x}?", "Who was the contractor for {x}?")),
    _("museum", "architect", "person", ("{o} is the architect of {s}.", "{s} was planned by the architect {o}."), ("the architect of {x}", "the person who planned {x}"), ("Who is the architect of {x}?", "Who planned {x}?")),
    _("museum", "curator", "person", ("{o} is the chief curator of {s}.", "The collection of {s} is in the care of {o}."), ("the chief curator of {x}", "the person who cares for the collection of {x}"), ("Who is the chief curator of {x}?", "Who cares for the collection of {x}?")),
    _("museum", "town", "town", ("{s} is in {o}.", "{s} is the pride of {o}."), ("the town where {x} is", "the town that is home to {x}"), ("In which town is {x}?", "Which town is home to {x}?")),
    _("office", "manager", "person", ("{o} manages {s}.", "{s} is run by {o}."), (), ("Who manages {x}?", "By whom is {x} run?")),
    _("office", "opening year", "year", ("{s} opened in {o}.", "{s} has taken orders since {o}."), (), ("In what year did {x} open?", "Since what year has {x} taken orders?")),
    _("railway", "builder", "company", ("{o} built {s}.", "{s} was built by {o}."), (), ("Which company built {x}?", "By which company was {x} built?")),
    _("railway", "length", "length", ("{s} is {o} long.", "{s} has a length of {o}."), (), ("How long is {x}?", "What is the length of {x}?")),
)  # fmt: skip
