"""Catalogues of goods: schema.org, Shopify, Google Merchant and tau-bench products as documents."""

from __future__ import annotations

import contextlib
import gzip
import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lt_bench.builders import IMPORTERS
from lt_bench.builders.importers.availability import read_availability
from lt_bench.builders.importers.linked_data import Plain, index_of
from lt_bench.builders.importers.markup import data_blocks, plain_text
from lt_bench.builders.importers.money import Money, read_money
from lt_bench.builders.problem import RowFault
from lt_bench.claims.paths import value_at
from lt_bench.errors import UsageError
from lt_bench.records import Document, Example

SHIRT = {
    "id": 1,
    "title": "Linen shirt",
    "handle": "linen-shirt",
    "body_html": "<p>Airy &amp; light.</p><ul><li>Wash at 30 °C</li></ul><script>alert(1)</script>",
    "vendor": "Ostra",
    "product_type": "Shirts",
    "tags": ["summer", "linen"],
    "options": [{"name": "Color", "position": 1}, {"name": "Size"}],
    "variants": [
        {
            "title": "Blue / S", "option1": "Blue", "option2": "S", "option3": None,
            "sku": "LS-B-S", "price": "39.00", "compare_at_price": "49.00",
            "inventory_quantity": 4, "inventory_management": "shopify",
            "inventory_policy": "deny", "weight": 0.3, "weight_unit": "kg",
        },
        {
            "title": "Red / S", "option1": "Red", "option2": "S", "option3": None,
            "sku": "LS-R-S", "price": "41.50", "compare_at_price": None,
            "inventory_quantity": -2, "inventory_management": "shopify",
            "inventory_policy": "deny", "weight": 0.3, "weight_unit": "kg",
        },
    ],
}  # fmt: skip
MUG = {
    "id": 2, "title": "Mug", "handle": "mug", "body_html": None, "vendor": "", "tags": "",
    "options": [{"name": "Title"}],
    "variants": [{"title": "Default Title", "option1": "Default Title", "sku": "MUG",
                  "price": "9.50", "available": True, "grams": 400}],
}  # fmt: skip
SHIRT_CSV = (
    "Handle,Title,Body (HTML),Vendor,Type,Tags,Published,Option1 Name,Option1 Value,Option2 Name,"
    "Option2 Value,Variant SKU,Variant Grams,Variant Inventory Tracker,Variant Inventory Qty,"
    "Variant Inventory Policy,Variant Price,Variant Compare At Price,Image Src,Status,"
    "Fabric (product.metafields.shopify.fabric)\n"
    'linen-shirt,Linen shirt,"<p>Airy, ""light"".\n</p>",Ostra,Shirts,"summer, linen",true,Color,'
    "Blue,Size,S,LS-B-S,300,shopify,4,deny,39.00,49.00,http://x/1.png,active,Linen\n"
    "linen-shirt,,,,,,,,Red,,S,LS-R-S,300,shopify,0,continue,41.50,,,,\n"
    "linen-shirt,,,,,,,,,,,,,,,,,,http://x/2.png,,\n"
)
FEED = (
    "id\ttitle\tdescription\tprice\tsale_price\tavailability\titem_group_id\tcolor\tsize\tbrand\t"
    "product_detail\tshipping\n"
    "A1\tTrail shoe - red, 42\tGrips.\t15.00 USD\t12.00 USD\tin_stock\tTS\tred\t42\tNord\t"
    "General:Sole:rubber,General:Drop:6 mm\tUS:CA:Ground:6.49 USD\n"
    "A2\tTrail shoe - blue, 42\tGrips.\t15.00 USD\t\tout_of_stock\tTS\tblue\t42\tNord\t"
    "General:Sole:rubber,General:Drop:6 mm\tUS:CA:Ground:6.49 USD\n"
    "B1\tCap\tWarm.\t1299.00 USD\t\tpreorder\t\t\t\tNord\t\t\n"
)
COAT = {
    "@context": "https://schema.org/",
    "@type": "Product",
    "sku": "C1",
    "name": "Wool coat",
    "description": "Warm &amp; dry.<br>Lined.",
    "image": "https://x/1.png",
    "brand": {"@type": "Brand", "name": "Good"},
    "weight": {"@type": "QuantitativeValue", "value": 1.4, "unitText": "kg"},
    "additionalProperty": [
        {"@type": "PropertyValue", "name": "waterproof", "value": True},
        {"@type": "PropertyValue", "name": "Care", "value": {"@type": "QuantitativeValue", "value": 30, "unitText": "°C"}},
    ],
    "aggregateRating": {"@type": "AggregateRating", "ratingValue": "4.4", "reviewCount": "89"},
    "offers": [{
        "@type": "Offer", "price": "129.00", "priceCurrency": "EUR",
        "availability": "https://schema.org/LimitedAvailability",
        "shippingDetails": {"shippingRate": {"value": 3.49, "currency": "EUR"},
                            "deliveryTime": {"transitTime": {"minValue": 1, "maxValue": 5}}},
        "hasMerchantReturnPolicy": {"merchantReturnDays": 60,
                                    "returnFees": "https://schema.org/FreeReturn"},
    }],
}  # fmt: skip


def save(tmp_path: Path, data, name: str) -> Path:
    path = tmp_path / name
    if not isinstance(data, str | bytes):
        data = json.dumps(data, ensure_ascii=False)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def imported(kind: str, path: Path, **options) -> list[Document]:
    return list(IMPORTERS.get(kind)(options).read(path))


def refused(kind: str, path: Path, **options) -> str:
    with pytest.raises(UsageError) as caught:
        imported(kind, path, **options)
    assert str(caught.value).count("\n") < 6
    assert caught.value.fix
    return str(caught.value)


# --- prices --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "amount", "currency"),
    [
        ("15.00 USD", 15, "USD"), ("USD 15", 15, "USD"), ("eur 15", 15, "EUR"),
        ("$1,299", 1299, "USD"), ("$1,299.50", 1299.5, "USD"), ("1.299,00 €", 1299, "EUR"),
        ("1.299.000,5 €", 1299000.5, "EUR"), ("1'299.00 CHF", 1299, "CHF"),
        ("1\u202f299,00\u00a0€", 1299, "EUR"), ("12,5 €", 12.5, "EUR"), ("0.125 KWD", 0.125, "KWD"),
        ("12,34,567.00 INR", 1234567, "INR"), ("129元", 129, "CNY"), ("US$5", 5, "USD"),
        ("$5 CAD", 5, "CAD"), ("free", 0, None), ("免费", 0, None), (15, 15, None), (15.5, 15.5, None),
        ("19.00", 19, None), ("0", 0, None), (" 7 ", 7, None),
    ],
)  # fmt: skip
def test_prices_are_read_as_written(text, amount, currency):
    assert read_money(text, "price") == Money(amount, currency)


@pytest.mark.parametrize(
    "text",
    [
        "-5.00 USD", "−5", "$-5", "", "price on request", "from", "NaN", "nan USD", "1e5", "10 - 20 USD",
        "1,2,3", "12..5", "1.2.3", "1,29,9", "5 apples", "1 USD or 2 EUR", True, None, [], float("nan"),
        float("inf"), -1, "9" * 400, "CHF 1’299.–", "¥129", "20 kr", "1.299", "１２",
    ],
)  # fmt: skip
def test_what_is_no_single_price_is_refused(text):
    with pytest.raises(RowFault) as caught:
        read_money(text, "price")
    assert caught.value.fix
    assert len(caught.value.message) < 160


def test_the_shop_says_what_a_sign_or_a_mark_means():
    assert read_money("¥129", "p", "JPY") == Money(129, "JPY")
    assert read_money("20 kr", "p", "SEK") == Money(20, "SEK")
    assert read_money("$20", "p", "AUD") == Money(20, "AUD")
    assert read_money("20 EUR", "p", "USD") == Money(20, "EUR")
    assert read_money("1.299", "p", decimal=",") == Money(1299)
    assert read_money("1.299", "p", decimal=".") == Money(1.299)
    assert read_money("1,299", "p", decimal=",") == Money(1.299)


@given(st.text(max_size=20))
def test_any_text_is_a_price_or_refused(text):
    with contextlib.suppress(RowFault):
        assert read_money(text, "price").amount >= 0


def test_prices_written_in_both_ways_come_back():
    for amount in (0, 0.99, 5, 12.5, 999.99, 1000, 1299, 12345.67, 1234567.89):
        english = f"{amount:,.2f}"
        german = english.translate(str.maketrans(",.", ".,"))
        assert read_money(f"{english} USD", "p").amount == amount
        assert read_money(f"{german} €", "p").amount == amount


def test_availability_has_one_name():
    for told, name in {
        "in_stock": "InStock", "in stock": "InStock", "https://schema.org/InStock": "InStock",
        "http://schema.org/SoldOut": "OutOfStock", "preorder": "PreOrder", "schema:PreSale": "PreOrder",
        "limited_availability": "LimitedAvailability", "backorder": "BackOrder",
    }.items():  # fmt: skip
        assert read_availability(told, "a") == name
    with pytest.raises(RowFault, match="no availability.*Did you mean 'instock'"):
        read_availability("inn stock", "a")


# --- HTML ----------------------------------------------------------------------------------------


def test_html_is_read_as_people_see_it():
    html = (
        "<style>p{}</style><p>One<br>two</p><script>alert('no')</script><table><tr><th>Power</th>"
        "<td>2200 W</td></tr><tr><td>a</td><td>b</td><td>c</td></tr></table><iframe>no</iframe>"
        "<ul><li>x &lt; y</li></ul><p onclick='evil()'>end"
    )
    assert plain_text(html) == "One\ntwo\nPower: 2200 W\na | b | c\n- x < y\nend"
    assert plain_text("size < 5 & more\nline") == "size < 5 & more\nline"
    assert plain_text("a &amp; b") == "a & b"
    assert plain_text("") == ""


def test_data_blocks_are_found_and_nothing_else():
    html = (
        '<script>1</script>\n<SCRIPT type="Application/LD+JSON; charset=utf-8">{"a": "<b>"}</script>'
        "<script type=application/ld+json>[]</script><script type=application/ld+json>{not closed"
    )
    found = [(block.line, block.text) for block in data_blocks(html)]
    assert found == [(2, '{"a": "<b>"}'), (2, "[]")]


# --- schema.org ----------------------------------------------------------------------------------


def test_a_product_keeps_its_record_and_gets_a_sheet(tmp_path):
    (document,) = imported("schema_org", save(tmp_path, COAT, "coat.jsonld"))
    assert (document.id, document.kind, document.title) == ("C1", "product", "Wool coat")
    assert document.text.splitlines() == [
        "Wool coat",
        "Price: 129.00 EUR",
        "Stock: in stock, but only a few left",
        "Brand: Good",
        "Weight: 1.4 kg",
        "Waterproof: yes",
        "Care: 30 °C",
        "Shipping: 3.49 EUR, 1 to 5 days",
        "Returns: within 60 days, return postage free",
        "Rating: 4.4 of 5 stars, 89 reviews",
        "Warm & dry.",
        "Lined.",
    ]
    assert value_at(document, "offers.price") == 129
    assert value_at(document, "offers.availability") == "LimitedAvailability"
    assert value_at(document, "additionalProperty[name=waterproof].value") is True
    assert value_at(document, "aggregateRating.ratingValue") == 4.4
    assert "image" not in document.product
    assert "@context" not in document.product


@pytest.mark.parametrize(
    "form",
    [
        "list",
        "graph",
        "jsonl",
        "item_list",
        "page",
        "bom",
        "gzip",
        "prefixed",
        "reference",
        "expanded",
    ],
)
def test_every_form_of_json_ld_gives_the_same_document(tmp_path, form):
    text = json.dumps(COAT)
    prefixed = text.replace('"@type": "', '"@type": "https://schema.org/')
    referring = text.replace(
        '"https://schema.org/LimitedAvailability"',
        '{"@id": "http://schema.org/LimitedAvailability"}',
    )
    expanded = {**COAT, "name": [{"@value": "Wool coat", "@language": "en"}]}
    forms = {
        "list": ("a.json", json.dumps([COAT], indent=2)),
        "graph": ("a.jsonld", json.dumps({"@graph": [{"@type": "WebSite"}, COAT]})),
        "jsonl": ("a.jsonl", text + "\n\n"),
        "item_list": (
            "a.json",
            json.dumps({"@type": "ItemList", "itemListElement": [{"@type": "ListItem", "item": COAT}]}),
        ),
        "page": (
            "a.html",
            f"<html><body><script type='application/ld+json'>//<![CDATA[\n{text}\n//]]></script>"
            "<script>var a = {'@type': 'Product'}</script></body></html>",
        ),
        "bom": ("a.json", "\ufeff" + text.replace(", ", ",\r\n")),
        "gzip": ("a.json.gz", gzip.compress(text.encode(), mtime=0)),
        "prefixed": ("a.json", prefixed),
        "reference": ("a.json", referring),
        "expanded": ("a.json", json.dumps(expanded)),
    }  # fmt: skip
    name, data = forms[form]
    (plain,) = imported("schema_org", save(tmp_path, COAT, "plain.json"))
    (found,) = imported("schema_org", save(tmp_path, data, name))
    assert found == plain


def test_variants_stand_inside_their_group_however_they_are_linked(tmp_path):
    one = {"@type": "Product", "@id": "#v1", "sku": "v1", "name": "Coat S", "size": "S",
           "isVariantOf": {"@id": "#g"},
           "offers": {"@type": "Offer", "price": 39.99, "priceCurrency": "EUR", "availability": "InStock"}}  # fmt: skip
    two = {"@type": "Product", "@id": "#v2", "sku": "v2", "name": "Coat L", "size": "L",
           "isVariantOf": {"@id": "#g"},
           "offers": {"@type": "AggregateOffer", "lowPrice": "45", "highPrice": "49.50", "priceCurrency": "EUR"}}  # fmt: skip
    group = {"@type": "ProductGroup", "@id": "#g", "name": "Coat", "productGroupID": "44E01"}
    graphs = {
        "back": [group, one, two],
        "references": [{**group, "hasVariant": [{"@id": "#v1"}, {"@id": "#v2"}]}, one, two],
        "inside": [{**group, "hasVariant": [one, two]}],
    }
    for name, graph in graphs.items():
        (document,) = imported("schema_org", save(tmp_path, {"@graph": graph}, f"{name}.json"))
        assert document.id == "44E01"
        assert [v["sku"] for v in document.product["hasVariant"]] == ["v1", "v2"]
        assert document.product["offers"]["availability"] == "InStock"
        assert "Size S: 39.99 EUR, in stock" in document.text
        assert "Size L: 45.00 EUR to 49.50 EUR, depending on the variant" in document.text


def test_circles_and_growth_without_end_are_held(tmp_path):
    circle = [
        {"@type": "Product", "@id": "#a", "sku": "a", "name": "A", "offers": {"@id": "#o"}},
        {"@type": "Offer", "@id": "#o", "price": 5, "itemOffered": {"@id": "#a"}},
    ]
    (document,) = imported("schema_org", save(tmp_path, circle, "circle.json"))
    assert document.product["offers"]["itemOffered"] == {"@id": "#a"}
    bomb = [{"@id": f"#{i}", "@type": "Thing", "x": [{"@id": f"#{i + 1}"}] * 10} for i in range(12)]
    bomb.append({"@type": "Product", "@id": "#p", "sku": "p", "name": "P", "x": {"@id": "#0"}})
    assert "too large" in refused("schema_org", save(tmp_path, bomb, "bomb.json"))
    deep = '{"a":' * 500 + "1" + "}" * 500
    text = f'{{"@type":"Product","sku":"p","name":"P","x":{deep}}}'
    assert "nested too deep" in refused("schema_org", save(tmp_path, text, "deep.json"))
    with pytest.raises(RowFault):
        Plain(index_of(bomb)).node(bomb[-1])


def test_products_of_a_page_that_repeat_exactly_come_once(tmp_path, caplog):
    assert len(imported("schema_org", save(tmp_path, [COAT, COAT], "twice.json"))) == 1
    assert "is there twice; left out" in caplog.text
    other = {**COAT, "name": "Another coat"}
    message = refused("schema_org", save(tmp_path, [COAT, other], "clash.json"))
    assert "product 2, id: 'C1' is the id of another product too (product 1)" in message


@pytest.mark.parametrize(
    ("data", "name", "words"),
    [
        ("", "a.json", "is empty"),
        ("\ufeff \n", "a.json", "is empty"),
        ("[]", "a.json", "holds no products"),
        ("<html></html>", "a.html", "holds no products"),
        ({"@type": "Recipe"}, "a.json", "holds no products"),
        ('{"@type": "Product", "sku": "1", "name": NaN}', "a.json", "line 1, column"),
        ('{"@type": "Product",\n "sku": "1", "name": "\\ud800"}', "a.json", "broken JSON"),
        ('{"@type": "Product",\n "sku": "1",', "a.json", "line 2"),
        (b'{"@type": "\xff"}', "a.json", "line 1: not utf-8 text"),
        ({"@type": "Product", "name": "x"}, "a.json", "product 1, sku: the product has no id"),
        ({"@type": "Product", "sku": "1"}, "a.json", "name: the product has no name"),
        (
            {**COAT, "offers": {"price": "-3", "priceCurrency": "EUR"}},
            "a.json",
            "offers.price: '-3' is negative",
        ),
        (
            {**COAT, "offers": {"price": 3, "availability": "perhaps"}},
            "a.json",
            "offers.availability: 'perhaps' is no availability",
        ),
        (
            '<p>\n<script type="application/ld+json">{"@type": "Product" "x"}</script>',
            "a.html",
            "script on line 2: broken JSON",
        ),
        (
            '<script type="application/ld+json">{"@type": "Product", "name": "\\ud800"}</script>',
            "a.html",
            "lone surrogate",
        ),
        (
            '<script type="application/ld+json">{"@type": "Product", "x": NaN}</script>',
            "a.html",
            "NaN is no JSON number",
        ),
    ],
)
def test_broken_catalogues_are_refused_with_place_and_fix(tmp_path, data, name, words):
    assert words in refused("schema_org", save(tmp_path, data, name))


def test_a_folder_and_a_missing_file_are_named(tmp_path):
    for kind in ("schema_org", "shopify", "google_merchant", "tau_products"):
        assert "is a folder" in refused(kind, tmp_path)
        assert "no such file" in refused(kind, tmp_path / "none.json")


def test_options_are_checked():
    with pytest.raises(UsageError, match="unknown key 'curency'.*Did you mean 'currency'"):
        IMPORTERS.get("shopify")({"curency": "EUR"})
    with pytest.raises(UsageError, match="currency"):
        IMPORTERS.get("schema_org")({"currency": "euro"})


# --- Shopify -------------------------------------------------------------------------------------


def test_shopify_variants_keep_price_stock_and_options(tmp_path):
    path = save(tmp_path, {"products": [SHIRT, MUG]}, "products.json")
    shirt, mug = imported("shopify", path, currency="EUR")
    assert (shirt.id, mug.id) == ("linen-shirt", "mug")
    assert shirt.product["variesBy"] == ["color", "size"]
    blue, red = shirt.product["hasVariant"]
    assert (blue["sku"], blue["color"], blue["size"]) == ("LS-B-S", "Blue", "S")
    assert blue["offers"]["price"] == 39
    assert blue["offers"]["inventoryLevel"]["value"] == 4
    assert blue["offers"]["priceSpecification"][0]["price"] == 49
    assert red["offers"]["availability"] == "OutOfStock"
    assert red["offers"]["inventoryLevel"]["value"] == 0
    assert shirt.product["offers"] == {
        "@type": "AggregateOffer", "lowPrice": 39, "highPrice": 41.5, "priceCurrency": "EUR",
        "offerCount": 2, "availability": "InStock",
    }  # fmt: skip
    assert shirt.text.splitlines() == [
        "Linen shirt",
        "Price: 39.00 EUR to 41.50 EUR, depending on the variant",
        "Stock: in stock",
        "Brand: Ostra",
        "Category: Shirts",
        "Keywords: summer, linen",
        "Weight: 0.3 kg",
        "Colour Blue, size S: 39.00 EUR, regular price 49.00 EUR, in stock, 4 left",
        "Colour Red, size S: 41.50 EUR, sold out",
        "Airy & light.",
        "- Wash at 30 °C",
    ]
    assert mug.product["offers"] == {
        "@type": "Offer", "price": 9.5, "priceCurrency": "EUR", "availability": "InStock",
    }  # fmt: skip
    assert mug.product["sku"] == "MUG"
    assert "hasVariant" not in mug.product


def test_shopify_json_comes_in_several_wrappings(tmp_path):
    expected = imported("shopify", save(tmp_path, {"products": [SHIRT]}, "a.json"), currency="USD")
    for name, data in {
        "list.json": json.dumps([SHIRT]),
        "one.json": json.dumps({"product": SHIRT}, indent=1),
        "lines.jsonl": json.dumps(SHIRT) + "\r\n",
        "bom.json": "\ufeff" + json.dumps({"products": [SHIRT]}),
    }.items():
        assert imported("shopify", save(tmp_path, data, name), currency="USD") == expected


@pytest.mark.parametrize(
    ("change", "state", "left"),
    [
        ({"available": False, "inventory_quantity": 5}, "OutOfStock", 5),
        ({"inventory_management": None, "inventory_quantity": 0}, "InStock", None),
        ({"inventory_quantity": 0, "inventory_policy": "continue"}, "BackOrder", 0),
        ({"inventory_quantity": None}, None, None),
    ],
)
def test_shopify_stock_is_what_a_buyer_would_find(tmp_path, change, state, left):
    variant = {"title": "Default Title", "price": "5.00", "inventory_management": "shopify"}
    product = {**MUG, "variants": [{**variant, **change}]}
    (document,) = imported("shopify", save(tmp_path, [product], "a.json"), currency="EUR")
    offer = document.product["offers"]
    assert offer.get("availability") == state
    assert offer.get("inventoryLevel", {}).get("value") == left


@pytest.mark.parametrize("form", ["plain", "bom_crlf", "utf16", "semicolon"])
def test_shopify_csv_brings_the_rows_of_a_handle_together(tmp_path, form):
    data = {
        "plain": SHIRT_CSV,
        "bom_crlf": b"\xef\xbb\xbf" + SHIRT_CSV.replace("\n", "\r\n").encode(),
        "utf16": SHIRT_CSV.encode("utf-16"),
        "semicolon": SHIRT_CSV.replace(",", ";"),
    }[form]
    (document,) = imported("shopify", save(tmp_path, data, "export.csv"), currency="EUR")
    assert document.id == "linen-shirt"
    blue, red = document.product["hasVariant"]
    assert blue["offers"]["price"] == 39
    assert red["offers"]["availability"] == "BackOrder"
    assert document.product["weight"]["value"] == 300
    assert value_at(document, "additionalProperty[name=Fabric].value") == "Linen"
    assert document.product["description"].startswith("Airy")


def test_shopify_drafts_are_left_out_and_said(tmp_path, caplog):
    draft = {**MUG, "handle": "old", "status": "draft"}
    path = save(tmp_path, {"products": [MUG, draft]}, "a.json")
    assert [d.id for d in imported("shopify", path, currency="EUR")] == ["mug"]
    assert "1 drafts and archived products left out" in caplog.text
    assert len(imported("shopify", path, currency="EUR", drafts=True)) == 2


def test_shopify_prices_without_a_currency_are_said(tmp_path, caplog):
    (mug,) = imported("shopify", save(tmp_path, [MUG], "a.json"))
    assert "Price: 9.50\n" in mug.text
    assert "1 products have prices without a currency: --set importer.currency=USD" in caplog.text


@pytest.mark.parametrize(
    ("product", "words"),
    [
        ({**MUG, "handle": "", "id": None}, "product 1, handle: the product has none"),
        ({**MUG, "title": None}, "name: the product has no name"),
        ({**MUG, "title": ["x"]}, "title: \"['x']\" is no text"),
        ({**MUG, "variants": "none"}, "variants: 'none' is no list"),
        ({**MUG, "variants": [{"price": ""}]}, "variants.0.price: the variant has none"),
        ({**MUG, "variants": [{"price": "-1.00"}]}, "variants.0.price: '-1.00' is negative"),
        ({**MUG, "variants": [{"price": "1", "weight": "heavy"}]}, "weight: 'heavy' is no number"),
        (
            {**MUG, "variants": [{"price": "1", "inventory_quantity": "4.5"}]},
            "inventory_quantity: '4.5' is no whole number",
        ),
        (
            {**MUG, "variants": [{"price": "1", "inventory_quantity": "many"}]},
            "inventory_quantity: 'many' is no whole number",
        ),
        (7, "product 1, product: '7' is no JSON object"),
    ],
)
def test_shopify_faults_name_product_field_and_fix(tmp_path, product, words):
    assert words in refused("shopify", save(tmp_path, {"products": [product]}, "a.json"))


def test_shopify_tables_are_checked(tmp_path):
    assert "no column 'Variant Price'" in refused(
        "shopify", save(tmp_path, "Handle,Title\n", "a.csv")
    )
    empty = SHIRT_CSV.replace("\nlinen-shirt,,,,,,,,Red", "\n,,,,,,,,Red")
    assert "line 4, Handle: is empty" in refused("shopify", save(tmp_path, empty, "b.csv"))
    assert "no list" in refused("shopify", save(tmp_path, {"products": {}}, "c.json"))
    assert "is empty" in refused("shopify", save(tmp_path, "", "d.csv"))
    big = SHIRT_CSV.replace("Airy", "x" * (50 * 2**20))
    assert "a cell is over" in refused("shopify", save(tmp_path, big, "e.csv"))


# --- Google Merchant -----------------------------------------------------------------------------


def test_google_items_of_a_group_become_one_product(tmp_path):
    shoe, cap = imported("google_merchant", save(tmp_path, FEED, "feed.tsv"))
    assert (shoe.id, shoe.title, cap.id) == ("TS", "Trail shoe", "B1")
    assert shoe.product["variesBy"] == ["color"]
    red, blue = shoe.product["hasVariant"]
    assert (red["sku"], red["color"], red["offers"]["price"]) == ("A1", "red", 12)
    assert red["offers"]["priceSpecification"][0]["price"] == 15
    assert blue["offers"]["availability"] == "OutOfStock"
    assert shoe.product["size"] == "42"
    assert value_at(shoe, "additionalProperty[name=Drop].value") == 6
    assert shoe.text.splitlines() == [
        "Trail shoe",
        "Price: 12.00 USD to 15.00 USD, depending on the variant",
        "Stock: in stock",
        "Brand: Nord",
        "Size: 42",
        "Sole: rubber",
        "Drop: 6 mm",
        "Colour red: 12.00 USD, regular price 15.00 USD, in stock",
        "Colour blue: 15.00 USD, sold out",
        "Shipping: 6.49 USD, to US",
        "Grips.",
    ]
    assert cap.product["offers"] == {
        "@type": "Offer", "price": 1299, "priceCurrency": "USD", "availability": "PreOrder",
    }  # fmt: skip


def test_google_feeds_with_spaces_prefixes_and_as_csv_are_the_same(tmp_path):
    expected = imported("google_merchant", save(tmp_path, FEED, "feed.tsv"))
    head, _, body = FEED.partition("\n")
    spaced = head.replace("_", " ").title() + "\n" + body
    assert imported("google_merchant", save(tmp_path, spaced, "a.txt")) == expected
    prefixed = "g:" + head.replace("\t", "\tg:") + "\n" + body
    assert imported("google_merchant", save(tmp_path, prefixed, "b.tsv")) == expected
    crlf = b"\xef\xbb\xbf" + FEED.replace("\n", "\r\n").encode()
    assert imported("google_merchant", save(tmp_path, crlf, "c.tsv")) == expected


XML = """<?xml version="1.0" encoding="utf-8"?>
<rss xmlns:g="http://base.google.com/ns/1.0" version="2.0"><channel><title>Shop</title>
<item><g:id>B1</g:id><title><![CDATA[Cap & co]]></title><g:price>12.00 EUR</g:price>
<g:availability>in stock</g:availability>
<g:shipping><g:country>DE</g:country><g:price>0 EUR</g:price></g:shipping>
<g:product_detail><g:section_name>G</g:section_name><g:attribute_name>Wool</g:attribute_name>
<g:attribute_value>80 %</g:attribute_value></g:product_detail></item></channel></rss>"""


def test_google_xml_feeds_are_read(tmp_path):
    (cap,) = imported("google_merchant", save(tmp_path, XML, "feed.xml"))
    assert cap.text.splitlines() == [
        "Cap & co", "Price: 12.00 EUR", "Stock: in stock", "Wool: 80 %", "Shipping: free, to DE",
    ]  # fmt: skip
    atom = XML.replace("<rss", "<feed").replace("</rss", "</feed").replace("item>", "entry>")
    (same,) = imported("google_merchant", save(tmp_path, atom, "feed.atom"))
    assert same == cap


def test_google_xml_that_declares_entities_is_refused(tmp_path):
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><rss><channel/></rss>'
    message = refused("google_merchant", save(tmp_path, bomb, "a.xml"))
    assert "document type declaration" in message
    assert "line 3" in refused("google_merchant", save(tmp_path, "<rss>\n\n<item></rss>", "b.xml"))
    deep = "<rss><item>" + "<a>" * 100 + "</a>" * 100 + "</item></rss>"
    assert "nested too deep" in refused("google_merchant", save(tmp_path, deep, "c.xml"))


def test_a_sale_with_dates_is_told_and_not_applied(tmp_path):
    feed = (
        "id\ttitle\tprice\tsale_price\tsale_price_effective_date\n"
        "1\tCap\t20.00 USD\t15.00 USD\t2026-02-24T11:07+0100 / 2026-02-28T23:07+0100\n"
    )
    (cap,) = imported("google_merchant", save(tmp_path, feed, "a.tsv"))
    assert cap.product["offers"]["price"] == 20
    assert "Sale price: 15.00 USD, from 2026-02-24 to 2026-02-28" in cap.text


@pytest.mark.parametrize(
    ("feed", "words"),
    [
        ("id\tprice\n1\t5 USD\n", "line 1: no attribute 'title'"),
        ("ids\ttitle\n1\tx\n", "no attribute 'id'. Did you mean 'ids'?"),
        ("id\ttitle\n", "holds no products"),
        ("id\ttitle\n\tx\n", "id (line 2): is empty"),
        ("id\ttitle\tprice\n1\tx\t-5 USD\n", "price (line 2): '-5 USD' is negative"),
        ("id\ttitle\tavailability\n1\tx\tmaybe\n", "availability (line 2): 'maybe' is no"),
        ("id\ttitle\tprice\n1\tx\t1 USD\n1\ty\t2 USD\n", "line 3, id: '1' is the id of another"),
        ("id\ttitle\titem_group_id\n1\tx\tG\n1\ty\tG\n", "id: '1' is there twice in group 'G'"),
        ("id\ttitle\n1\tx\ty\n", "3 cells where the header has 2"),
    ],
)
def test_google_faults_name_line_and_attribute(tmp_path, feed, words):
    assert words in refused("google_merchant", save(tmp_path, feed, "a.tsv"))


# --- what the scorer and the reader see ----------------------------------------------------------


def test_the_scorer_finds_prices_stock_and_properties(tmp_path):
    shirt, _ = imported(
        "shopify", save(tmp_path, {"products": [SHIRT, MUG]}, "a.json"), currency="EUR"
    )
    from lt_bench.claims.evidence import evidence_of

    example = Example(id="1", task="commerce_qa", question="?", documents=(shirt,), group="g")
    evidence = evidence_of(example)
    amounts = {q.value for entry in evidence.entries[0] for q in entry.quantities}
    assert {39, 49, 41.5, 0.3} <= amounts
    assert "in" in evidence.availability[0]


def test_chinese_shops_get_chinese_sheets(tmp_path):
    product = {**MUG, "title": "马克杯", "vendor": "小满"}
    (document,) = imported(
        "shopify", save(tmp_path, [product], "a.json"), currency="CNY", lang="zh"
    )
    assert document.text == "马克杯\n价格：¥9.50\n库存：有货\n品牌：小满\n重量：400 g"


def test_documents_survive_a_trip_to_disk(tmp_path):
    path = save(tmp_path, {"products": [SHIRT, MUG]}, "a.json")
    for document in imported("shopify", path, currency="EUR"):
        assert Document.model_validate_json(document.model_dump_json()) == document


# --- real files ----------------------------------------------------------------------------------


def test_all_tau_bench_products_import_with_all_variants(shared_data):
    path = shared_data / "commerce" / "taubench_retail_products.json"
    raw = json.loads(path.read_text())
    documents = imported("tau_products", path)
    assert len(documents) == len(raw) == 50
    assert {document.id for document in documents} == set(raw)
    states = Counter()
    for document in documents:
        variants = raw[document.id]["variants"]
        found = {v["sku"]: v for v in document.product["hasVariant"]}
        assert found.keys() == variants.keys()
        for sku, variant in variants.items():
            assert found[sku]["offers"]["price"] == variant["price"]
            assert f"{variant['price']:.2f} USD" in document.text
            states[found[sku]["offers"]["availability"]] += 1
        prices = [variant["price"] for variant in variants.values()]
        offers = document.product["offers"]
        assert (offers["lowPrice"], offers["highPrice"]) == (min(prices), max(prices))
    available = Counter(v["available"] for p in raw.values() for v in p["variants"].values())
    assert sum(states.values()) == 591
    assert states == {"InStock": available[True], "OutOfStock": available[False]}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"1": {"name": "A", "variants": {}}}, "product_id: the product has none"),
        ({"1": {"name": "A", "product_id": "1", "variants": {}}}, "variants: the product has none"),
        ({"1": {"name": "A", "product_id": "1"}}, "variants: 'None' is no JSON object"),
        (
            {"1": {"name": "A", "product_id": "1", "variants": {"2": {"options": {}, "price": 1}}}},
            "variants.2.available: None is not true or false",
        ),
        ("7", "is no list"),
    ],
)
def test_tau_faults_are_named(tmp_path, data, words):
    assert words in refused("tau_products", save(tmp_path, data, "products.json"))


# --- anything --------------------------------------------------------------------------------------

JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=6)
    | st.sampled_from(["-5", "1,2,3", "<b>", "#v1", "Product", "https://schema.org/InStock"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(["@id", "@type", "@value", "name", "price", "value", "offers", "hasVariant"]),
        inner,
        max_size=3,
    ),
    max_leaves=6,
)  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "good"),
    [("schema_org", COAT), ("shopify", SHIRT), ("shopify", MUG)],
)
@given(data=st.data())
def test_any_value_anywhere_is_read_or_refused(tmp_path_factory, kind, good, data):
    broken = json.loads(json.dumps(good))
    holder = broken
    while True:
        key = data.draw(
            st.sampled_from(list(holder) if isinstance(holder, dict) else range(len(holder)))
        )
        if not isinstance(holder[key], dict | list) or not holder[key] or data.draw(st.booleans()):
            break
        holder = holder[key]
    holder[key] = data.draw(JUNK)
    path = save(tmp_path_factory.getbasetemp(), [broken], "any.json")
    refusal, documents = None, []
    try:
        documents = imported(kind, path, currency="EUR")
    except UsageError as error:
        refusal = error
    assert refusal is None or (refusal.fix and len(str(refusal)) < 1500)
    for document in documents:
        assert Document.model_validate_json(document.model_dump_json()) == document
