"""Words of all scripts are found, and those of English as before."""

# ruff: noqa: RUF001  # letters of one alphabet look like those of another

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from g2c.memory import MemoryStore
from g2c.memory.core.paragraphs import excerpt
from g2c.memory.core.scripts import split_words, words_in
from g2c.memory.core.terms import extract_terms, indexed_terms
from g2c.text import search_fold

FOUND = [
    ("Hindi", "मेरी बिल्ली का नाम टॉम है", ["बिल्ली", "टॉम", "हिन्दी बिल्ली"], ["बल", "टम"]),
    ("Tamil", "என் பூனையின் பெயர் தமிழ்", ["தமிழ்", "பெயர்"], ["தமழ", "பயர"]),
    ("Bengali", "আমার বিড়ালের নাম মিনি", ["বিড়ালের", "মিনি"], ["মন"]),
    ("Arabic with marks", "أُحِبُّ الشَّايَ", ["الشاي", "الشَّاي", "الشـــاي"], ["القهوة"]),
    ("Arabic without", "أحب الشاي كثيرا", ["الشَّايَ", "كثيراً"], ["شا"]),
    ("Hebrew with points", "אֲנִי אוֹהֵב תֵּה", ["תה", "תֵּה", "אוהב"], ["קפה"]),
    ("Hebrew without", "אני אוהב תה", ["תֵּה"], ["קפה"]),
    ("Persian with joiners", "من می\u200cخواهم", ["میخواهم", "می\u200cخواهم"], ["می"]),
    ("Turkish", "İstanbul'da ılık bir ISI", ["istanbul", "İSTANBUL", "ILIK", "ısı"], ["stanbul"]),
    ("Greek", "Ο ΚΑΦΈΣ μου", ["καφές"], ["τσάι"]),
    ("Vietnamese", "Tôi thích trà đá", ["tra\u0300", "ĐÁ"], ["đa"]),
    (
        "Japanese",
        "私は東京に住んでいます。カレーが好き",
        ["東京", "住んで", "ｶﾚｰ", "京"],
        ["大阪", "阪"],
    ),
    ("Chinese", "我的猫叫小白,喜欢喝绿茶。", ["绿茶", "猫", "喜欢", "小白"], ["红酒", "狗"]),
    ("Thai", "ฉันชอบกินข้าวผัด", ["ข้าวผัด", "กิน", "ชอบ"], ["กน", "ปลา"]),
    ("Lao", "ຂ້ອຍມັກກິນເຂົ້າ", ["ເຂົ້າ", "ກິນ"], ["ນ້ຳ"]),
    ("Khmer", "ខ្ញុំចូលចិត្តទឹកតែ", ["ទឹកតែ", "ចិត្ត"], ["កាហ្វេ"]),
    ("Burmese", "ကျွန်တော်လက်ဖက်ရည်ကြိုက်တယ်", ["လက်ဖက်ရည်", "ကြိုက်"], ["ငါး"]),
    ("Korean", "나는 녹차를 좋아한다", ["녹차를", "\u1102\u1161\u1102\u1173\u11ab"], ["녹"]),
]


@pytest.mark.parametrize(("script", "text", "found", "other"), FOUND)
def test_real_words_are_found_and_others_are_not(
    tmp_path: Path, script: str, text: str, found: list[str], other: list[str]
) -> None:
    store = MemoryStore(tmp_path)
    store.write_topic("Ada", "a person", f"{text}\n\nNothing.")
    for word in found:
        assert [hit.excerpt for hit in store.recall(word)][:1] == [text], word
    for word in other:
        assert store.recall(word) == [], word


def test_a_script_without_spaces_is_cut_in_characters_with_their_marks() -> None:
    assert split_words("กินข้าว 2026年 茶") == ["กิน", "นข้", "ข้า", "าว", "2026", "年", "茶"]
    assert extract_terms("葛\U000e0100飾区") == ["葛飾", "飾区"]
    assert indexed_terms("猫が") == {"猫", "が", "猫が"}


def test_an_excerpt_shows_what_was_found_in_a_long_run() -> None:
    text = "あ" * 300 + "東京に住む" + "い" * 300
    assert "東京" in excerpt(text, "東京", 60)
    hindi = "नहीं " * 100 + "बिल्ली"
    assert excerpt(hindi, "बिल्ली", 60).endswith("बिल्ली")


signs = st.sampled_from(["“", "’", "–", "…", "€", "🙂", "❤️", "👨‍👩‍👧", "1️⃣"])
plain = st.lists(
    st.text(st.characters(max_codepoint=0x17F, exclude_characters="\u0130\u0131")) | signs
).map("".join)


@settings(derandomize=True, max_examples=400)
@given(plain)
def test_latin_text_is_as_before(text: str) -> None:
    assert split_words(text) == re.findall(r"[^\W_]+", search_fold(text))
    assert [word for _, word in words_in(text)] == re.findall(r"\w+", text)


@settings(derandomize=True, max_examples=200)
@given(st.text(st.characters(categories=("Lo", "Mn", "Mc", "Zs")), max_size=30))
def test_a_text_is_found_by_each_of_its_words(text: str) -> None:
    assert set(extract_terms(text)) <= indexed_terms(text)
    for word in split_words(text):
        assert set(extract_terms(word)) <= indexed_terms(text)
    for place, word in words_in(text):
        assert text.startswith(word, place)
