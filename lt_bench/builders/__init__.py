"""Builders turn a seed, or a file that a user brings, into Examples."""

from lt_bench.builders.base import (
    Builder,
    BuilderFactory,
    Importer,
    ImporterFactory,
    Labeller,
    LabellerFactory,
)
from lt_bench.registry import Registry

BUILDERS: Registry[BuilderFactory] = Registry(
    "builder",
    group="lt_bench.builders",
    builtin={
        "commerce_qa": "lt_bench.builders.commerce_qa:CommerceQA",
        "mini_qa": "lt_bench.builders.mini_qa:MiniQA",
        "mini_tools": "lt_bench.builders.mini_tools:MiniTools",
        "musique": "lt_bench.builders.musique:Musique",
        "tool_dialogue": "lt_bench.builders.tool_dialogue:ToolDialogue",
    },
)

LABELLERS: Registry[LabellerFactory] = Registry(
    "labeller",
    group="lt_bench.labellers",
    builtin={"commerce_judge": "lt_bench.builders.commerce_judge:CommerceJudge"},
)

_IMPORTERS = "lt_bench.builders.importers"
IMPORTERS: Registry[ImporterFactory] = Registry(
    "importer",
    group="lt_bench.importers",
    builtin={
        "epqa": f"{_IMPORTERS}.epqa:Epqa",
        "hetpqa": f"{_IMPORTERS}.hetpqa:Hetpqa",
        "semipqa": f"{_IMPORTERS}.semipqa:Semipqa",
        "xpqa": f"{_IMPORTERS}.xpqa:Xpqa",
        "amazonqa": f"{_IMPORTERS}.amazonqa:AmazonQA",
        "schema_org": f"{_IMPORTERS}.schema_org:SchemaOrg",
        "shopify": f"{_IMPORTERS}.shopify:Shopify",
        "google_merchant": f"{_IMPORTERS}.google_merchant:GoogleMerchant",
        "tau_products": f"{_IMPORTERS}.tau_products:TauProducts",
        "generic": f"{_IMPORTERS}.generic:Generic",
        "ragtruth": f"{_IMPORTERS}.ragtruth:RagTruth",
        "labelled": f"{_IMPORTERS}.labelled:LabelledRows",
        "bfcl": f"{_IMPORTERS}.bfcl:Bfcl",
        "rlla": f"{_IMPORTERS}.rlla:Rlla",
        "tau": f"{_IMPORTERS}.tau:Tau",
        "xlam": f"{_IMPORTERS}.xlam:Xlam",
        "apigen_mt": f"{_IMPORTERS}.apigen_mt:ApigenMt",
    },
)
"""Name of a foreign format -> the reader of its files."""

__all__ = [
    "BUILDERS",
    "IMPORTERS",
    "LABELLERS",
    "Builder",
    "BuilderFactory",
    "Importer",
    "ImporterFactory",
    "Labeller",
    "LabellerFactory",
]
