"""Names of people, places, things and files: the words that fill the blanks of a phrasing.

The fixed suite draws from the first of each pair of lists, and a fresh one from both. The first
lists may never change, or the fixed suite does.
"""

from __future__ import annotations

PEOPLE = (
    *("Ottilie", "Bertil", "Saskia", "Eudora", "Oona", "Casimir", "Ngozi", "Anselm"),
    *("Zuzana", "Hamish", "Leocadia", "Thaddeus"),
)
MORE_PEOPLE = (
    *(
        "Ottoline",
        "Balthazar",
        "Perpetua",
        "Ignatius",
        "Marisol",
        "Thorvald",
        "Seraphina",
        "Barnaby",
    ),
    *("Ludmila", "Henrietta", "Ezekiel", "Philippa", "Radomir", "Clementine", "Osbert", "Winifred"),
    *("Tancred", "Drusilla", "Fergus", "Ulrika", "Evander", "Rosalind", "Milosz", "Beatrix"),
    *("Leopold", "Yolanda", "Amadeus", "Griselda", "Torben", "Imogen", "Percival", "Aurelia"),
    *("Wolfram", "Hortense", "Sigrid", "Jolanta", "Cuthbert", "Zenobia", "Lysander"),
)
PLACES = (
    *("Trondheim", "Lucerne", "Tromso", "Kumasi", "Bergamo", "Leiden", "Valparaiso", "Nagano"),
    *("Galway", "Szeged", "Cuenca", "Mombasa"),
)
MORE_PLACES = (
    *("Reykjavik", "Ljubljana", "Salamanca", "Antwerp", "Cardiff", "Bruges", "Innsbruck", "Tartu"),
    *("Coimbra", "Zanzibar", "Cartagena", "Yerevan", "Ghent", "Aarhus", "Toledo", "Perugia"),
    *(
        "Dubrovnik",
        "Marrakesh",
        "Windhoek",
        "Timaru",
        "Arequipa",
        "Tallinn",
        "Heraklion",
        "Nicosia",
    ),
    *("Vilnius", "Luxor", "Potosi", "Sarajevo", "Halifax"),
)
THINGS = (
    *("spinet", "anvil", "sundial", "sledge", "kiln", "telescope", "harp", "gondola"),
    *("trellis", "dulcimer", "pulpit", "weathervane"),
)
MORE_THINGS = (
    *(
        "bagpipe",
        "lectern",
        "barometer",
        "wheelbarrow",
        "hourglass",
        "loom",
        "harmonica",
        "cauldron",
    ),
    *(
        "accordion",
        "scythe",
        "chandelier",
        "rucksack",
        "sextant",
        "bassoon",
        "toboggan",
        "armchair",
    ),
    *(
        "metronome",
        "typewriter",
        "gramophone",
        "cradle",
        "parasol",
        "goblet",
        "tambourine",
        "velocipede",
    ),
    *("mandolin", "bobsled", "tripod", "birdcage", "pendulum", "trombone"),
)
GOODS = (
    *("turnips", "walnuts", "thimbles", "saucers", "oars", "horseshoes", "ribbons", "quinces"),
    *("candlesticks", "casks", "spindles", "medals"),
)
MORE_GOODS = (
    *(
        "radishes",
        "chestnuts",
        "teapots",
        "pitchforks",
        "almonds",
        "trowels",
        "thistles",
        "pebbles",
    ),
    *("apricots", "mittens", "kippers", "parsnips", "bobbins", "tassels", "hinges", "cabbages"),
    *("turnstiles", "napkins", "brooches", "pretzels", "figs", "gherkins", "pigeons", "whisks"),
)
COLOURS = ("crimson", "turquoise", "ochre", "maroon", "indigo", "beige", "lilac", "khaki")
MORE_COLOURS = (
    *("scarlet", "magenta", "vermilion", "saffron", "burgundy", "cobalt", "fuchsia", "russet"),
    *("chartreuse", "sepia", "cerise", "taupe", "aquamarine", "periwinkle", "sienna", "umber"),
    *("puce",),
)
STEMS = (
    *("quarry", "meadow", "pantry", "hermitage", "lighthouse", "foundry", "granary", "chapel"),
    *("smithy", "cloister", "tannery", "belfry", "apiary", "sawmill"),
)
MORE_STEMS = (
    *("orchard", "monastery", "brewery", "vineyard", "distillery", "aviary", "forge", "windmill"),
    *("attic", "observatory", "dairy", "cooperage", "boathouse", "rectory", "bindery", "armoury"),
    *(
        "creamery",
        "conservatory",
        "ropeworks",
        "saltworks",
        "kennel",
        "glassworks",
        "refectory",
        "dovecote",
    ),
    *("barracks", "infirmary", "hatchery"),
)
FILES = tuple(f"{stem}.txt" for stem in STEMS)
MORE_FILES = tuple(f"{stem}.txt" for stem in MORE_STEMS)
FOLDERS = ("crypt", "hayloft", "scullery", "turret", "larder", "gatehouse")
MORE_FOLDERS = (
    *("cupboard", "vault", "alcove", "hutch", "coffer", "bothy", "pavilion", "outhouse"),
    *("cloakroom", "icehouse", "woodshed", "buttery"),
)
GARMENTS = ("shawl", "balaclava", "pullover")
MORE_GARMENTS = (
    *("cardigan", "poncho", "mitten", "waistcoat", "kilt", "jerkin", "bonnet", "stocking"),
    *("tunic",),
)
TOOL_NAMES = (
    *("tide_height", "parking_fee", "yarn_needed", "locker_code", "shift_letters", "next_ferry"),
    *("furlongs_to_metres", "beehive_yield", "ask_buoy", "river_level"),
)
