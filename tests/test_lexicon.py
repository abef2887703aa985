"""The word tables: complete, in folded spelling, exact in spans, right about sentences."""

from __future__ import annotations

import tomllib
from collections import Counter
from importlib import resources
from itertools import pairwise
from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_polygraph.claims import lexicon
from agent_polygraph.claims.lexicon import (
    SCHEMA,
    Lexicon,
    detect,
    languages,
    load,
    tag_all,
    tokenize,
)

CODES = ("en", "de", "es", "fr", "pt", "it", "zh", "ja", "ko", "ru", "hi")
BY_CHARACTER = ("zh", "ja", "ko")


def raw(code: str) -> str:
    return resources.files(lexicon).joinpath(f"{code}.toml").read_text("utf-8")


def names(code: str, text: str) -> set[str]:
    """The tags that one language's tables give to `text`."""
    return {tag.name for tag in load(code).tags(text, tokenize(text))}


def spans(code: str, text: str) -> list[tuple[str, str]]:
    """(tag, the words it stands on), in order."""
    return [(t.name, text[t.start : t.end]) for t in load(code).tags(text, tokenize(text))]


def steps(code: str, phrase: str) -> tuple[str, ...]:
    cut = lexicon._character_steps if code in BY_CHARACTER else lexicon._word_steps
    return tuple(cut(phrase))


# --- the files ----------------------------------------------------------------------------------


def test_languages() -> None:
    assert languages() == CODES
    with pytest.raises(ValueError, match="'xx'"):
        load("xx")
    assert load("de") is load("de")


@pytest.mark.parametrize("code", CODES)
def test_every_tag_has_phrases(code: str) -> None:
    groups = load(code).groups
    assert tuple(groups) == tuple(SCHEMA)
    for group, tags in SCHEMA.items():
        assert {tag for tag in groups[group] if tag != "other"} == set(tags)
        assert [tag for tag in tags if not groups[group][tag]] == []


@pytest.mark.parametrize("code", CODES)
def test_meta(code: str) -> None:
    language = load(code)
    assert language.code == code
    assert language.source.startswith("written for this project")
    assert 20 <= len(language.stopwords) <= 70
    for word in language.stopwords:  # a clitic keeps its apostrophe before a word only
        assert tokenize(word + "a" * word.endswith("'"))[0] == (0, len(word))


@pytest.mark.parametrize("code", CODES)
def test_the_fast_reader_agrees_with_tomllib(code: str) -> None:
    data = tomllib.loads(raw(code))
    assert data.pop("meta")["language"] == code
    assert data == load(code).groups


@pytest.mark.parametrize("code", CODES)
def test_phrases_are_in_folded_spelling(code: str) -> None:
    for group, table in load(code).groups.items():
        for tag, phrases in table.items():
            for phrase in phrases:
                where = f"{code} {group}.{tag} {phrase!r}"
                assert phrase == normalize("NFC", phrase).lower() == " ".join(phrase.split()), where
                words = phrase.split()
                assert "…" not in (words[0], words[-1]), where
                assert all(w == "…" or "…" not in w for w in words), where
                if code in BY_CHARACTER:
                    assert "*" not in phrase and "^" not in phrase[1:], where
                else:
                    assert "^" not in phrase, where
                    assert all("*" not in w[:-1] and (w[-1] != "*" or len(w) > 3) for w in words), (
                        where
                    )


@pytest.mark.parametrize("code", CODES)
def test_no_phrase_stands_twice(code: str) -> None:
    for group, table in load(code).groups.items():
        shields = {steps(code, phrase) for phrase in table.get("other", ())}
        for tag, phrases in table.items():
            count = Counter(steps(code, phrase) for phrase in phrases)
            assert [s for s, n in count.items() if n > 1] == [], f"{code} {group}.{tag}"
            if tag != "other":
                assert shields & set(count) == set(), f"{code} {group}.{tag}: shielded from itself"


# --- finding ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("I couldn't run it; I've stopped.", ["I", "couldn't", "run", "it", "I've", "stopped"]),
        ("couldn’t double-check", ["couldn’t", "double", "check"]),
        ("l'e-mail n’est pas", ["l'", "e", "mail", "n’", "est", "pas"]),
        ("src/tests/all.py, v1.2.3, 1,234.50", ["src/tests/all.py", "v1.2.3", "1,234.50"]),
        ("pass/fail and tests/lint", ["pass", "fail", "and", "tests", "lint"]),
        ("/var/log/error ./done ~/all", ["var/log/error", "done", "all"]),
        ("git commit --no-verify -m x", ["git", "commit", "--no-verify", "m", "x"]),
        ("a@b.com https://x.io/done/all?y=1", ["a@b.com", "https://x.io/done/all", "y", "1"]),
        ("done...next done. Next", ["done", "next", "done", "Next"]),
        ("已push到main了", ["已", "push", "到", "main", "了"]),
        ("테스트를 run", ["테스트를", "run"]),
        ("फ़ाइल भेजी।", ["फ़ाइल", "भेजी"]),
        (normalize("NFD", "envié él"), [normalize("NFD", "envié"), normalize("NFD", "él")]),
        ("✅ done 🎉", ["done"]),
        ("test_done alldone", ["test_done", "alldone"]),
        ("", []),
    ],
)
def test_tokenize(text: str, tokens: list[str]) -> None:
    assert [text[a:b] for a, b in tokenize(text)] == tokens


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("The workspace is large.", "state.works"),
        ("I already opened it.", "state.done"),
        ("The plan was abandoned.", "state.done"),
        ("It is unverified.", "actions.verify"),
        ("Change your password.", "state.pass"),
        ("Return the value.", "actions.return"),
        ("The value is passed to the handler.", "state.pass"),
        ("A compass and a passenger.", "state.pass"),
        ("The network works.", "objects.job"),
        ("This is work in progress.", "state.works"),
        ("Everything is in a read-only volume.", "actions.read"),
        ("I added error handling.", "polarity.fail"),
        ("No errors were reported.", "polarity.fail"),
        ("0 failed, 12 passed.", "polarity.fail"),
        ("The function is called by main.", "actions.call"),
        ("Use --no-verify here.", "polarity.neg"),
        ("See src/failed/all.py.", "polarity.fail"),
        ("The recommitted latest test_passed flag.", "state.pass"),
        ("Blackboard, no-op.", "checks.format"),
        ("At first I was unsure.", "scope.part"),
        ("The API key is set.", "scope.part"),
        ("In order to help.", "objects.order"),
        ("The user's first name.", "scope.part"),
        ("An unsent letter.", "actions.send"),
        ("The incomplete list.", "state.done"),
        ("The undeployed branch.", "actions.deploy"),
        ("The tests passed on CI.", "actions.send"),
    ],
)
def test_near_misses(text: str, tag: str) -> None:
    assert tag not in names("en", text)


@pytest.mark.parametrize(
    ("code", "text", "tag"),
    [
        ("de", "Die Methode besteht aus drei Teilen.", "state.pass"),
        ("de", "Ich habe die Fehlerbehandlung ergänzt.", "polarity.fail"),
        ("de", "Die Testdaten liegen bereit.", "checks.test"),
        ("de", "Das muss noch geprüft werden.", "actions.verify"),
        ("es", "La lista de tareas.", "state.done"),
        ("es", "Guardé el borrador.", "actions.delete"),
        ("es", "El pedido está pendiente.", "actions.order"),
        ("es", "Ejecuta las pruebas.", "actions.run"),
        ("es", "De hecho, no lo sé.", "state.done"),
        ("fr", "Le mot de passe est long.", "state.pass"),
        ("fr", "La prochaine mise à jour.", "actions.edit"),
        ("fr", "J'ai ajouté la gestion des erreurs.", "polarity.fail"),
        ("fr", "Il faut exécuter les tests.", "actions.run"),
        ("pt", "O arquivo está no diretório.", "polarity.neg"),
        ("pt", "Trata-se de um segundo teste.", "polarity.cond"),
        ("pt", "A senha passada como argumento.", "state.pass"),
        ("it", "La password va cambiata.", "state.pass"),
        ("it", "Secondo test della lista.", "polarity.attributed"),
        ("it", "Infatti è così.", "state.done"),
        ("zh", "接口返回了结果。", "actions.reply"),
        ("zh", "触发了一次构建。", "actions.send"),
        ("zh", "已发现两个问题。", "actions.send"),
        ("zh", "删除了旧文件。", "polarity.contrast"),
        ("zh", "非常不错。", "polarity.neg"),
        ("zh", "已准备好发送。", "actions.send"),
        ("zh", "添加了错误处理。", "polarity.fail"),
        ("ja", "ログインしてください。", "objects.log"),
        ("ja", "テストを実行したい場合は。", "actions.run"),
        ("ja", "パスワードを確認してください。", "state.pass"),
        ("ja", "エラー処理を見ます。", "polarity.fail"),
        ("ja", "キャンセルの手順です。", "objects.row"),
        ("ko", "모두 통과했습니다.", "numbers.2"),
        ("ko", "성능을 향상시켰습니다.", "actions.enable"),
        ("ko", "메일을 보냈습니다.", "actions.pay"),
        ("ko", "파일을 만들었습니다.", "scope.part"),
        ("ko", "감사합니다.", "checks.audit"),
        ("ru", "Это не получилось.", "actions.fetch"),
        ("ru", "Отправление задерживается.", "actions.send"),
        ("ru", "Добавил обработку ошибок.", "polarity.fail"),
        ("ru", "Рабочий каталог.", "state.works"),
        ("hi", "मेरे पास समय है।", "state.pass"),
        ("hi", "पासवर्ड बदलें।", "state.pass"),
        ("hi", "त्रुटि संदेश देखें।", "polarity.fail"),
        ("hi", "टेस्ट फेल हो गया।", "state.done"),
    ],
)
def test_near_misses_elsewhere(code: str, text: str, tag: str) -> None:
    assert tag not in names(code, text)


def test_the_longest_phrase_wins_within_a_group() -> None:
    found = spans("en", "No errors remain, not verified.")
    assert ("polarity.nofail", "No errors") in found
    assert ("polarity.unverified", "not verified") in found
    assert {word for name, word in found if name == "polarity.neg"} == set()
    # another group may stand on the same words
    assert ("state.pass", "No errors") in found
    assert ("objects.error", "errors") in found


def test_one_phrase_may_mean_two_things() -> None:
    found = spans("en", "The failure is pre-existing.")
    assert ("polarity.prior", "pre-existing") in found
    assert ("polarity.excuse", "pre-existing") in found


def test_gaps() -> None:
    assert ("polarity.fail", "konnte den Build leider nicht") in spans(
        "de", "Ich konnte den Build leider nicht starten."
    )
    assert "polarity.contrast" in names("de", "Ich konnte den Build leider nicht starten.")
    # four words are too many, and no gap reaches over punctuation
    assert "polarity.fail" not in names("de", "Ich konnte den ganz neuen Build nicht starten.")
    assert "polarity.fail" not in names("de", "Ich konnte es. Nicht schlimm.")
    assert "polarity.repaired" in names("en", "I fixed the two failing tests.")
    assert "polarity.repaired" not in names("en", "Fixed it; 2 tests failing.")
    assert ("actions.send", "已将 3 封邮件全部发送") in spans("zh", "已将 3 封邮件全部发送。")
    assert "actions.send" not in names("zh", "已看过，发送。")


@pytest.mark.parametrize(
    ("code", "text", "tag"),
    [
        ("en", "The refund has not been issued.", "actions.refund"),
        ("de", "Die Rückerstattung wurde nicht veranlasst.", "actions.refund"),
        ("es", "El reembolso no fue procesado.", "actions.refund"),
        ("fr", "Le remboursement n'est pas effectué.", "actions.refund"),
        ("pt", "O pedido não foi confirmado.", "actions.order"),
        ("it", "L'ordine non è confermato.", "actions.order"),
        ("ru", "Заказ пока не подтверждён.", "actions.order"),
        ("zh", "已确认邮件未发送。", "actions.send"),
    ],
)
def test_no_gap_over_a_negation(code: str, text: str, tag: str) -> None:
    assert tag not in names(code, text)


def test_stems() -> None:
    assert ("polarity.fail", "fehlgeschlagenen") in spans("de", "die fehlgeschlagenen Läufe")
    assert "polarity.fail" not in names("de", "das Fehlschema")
    # the word itself shields it from its stem
    assert "polarity.fail" not in names("de", "die Fehlerbehandlung")


@pytest.mark.parametrize("between", [" ", "-", "\u00a0", "\n", " **", "` "])
def test_words_of_a_phrase_may_be_joined_by(between: str) -> None:
    assert "polarity.unverified" in names("en", f"It is not{between}verified.")


@pytest.mark.parametrize("between", [". ", ", ", "\n\n", "; ", " - ", " — ", "\n- ", " | ", ": "])
def test_words_of_a_phrase_are_parted_by(between: str) -> None:
    assert "polarity.unverified" not in names("en", f"It is not{between}verified.")


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("en", "🎉🎉 I couldn’t run 测试: TIMED OUT", [("polarity.fail", "TIMED OUT")]),
        ("en", "İstanbul’s tests PASSED ✅", [("state.pass", "PASSED"), ("checks.test", "tests")]),
        (
            "de",
            "GRÖSSE GEÄNDERT, nicht GRÜN",
            [("actions.edit", "GEÄNDERT"), ("state.pass", "GRÜN")],
        ),
        ("de", "Der Straßenname ist außen vor.", [("polarity.skipped", "außen vor")]),
        ("de", "DER NAME IST AUSSEN VOR.", [("polarity.skipped", "AUSSEN VOR")]),
        (
            "fr",
            "J’ai envoyé l’e-mail 📧 à İo",
            [("actions.send", "envoyé"), ("objects.email", "e-mail")],
        ),
        ("ko", "İ: 👍 테스트 통과", [("checks.test", "테스트"), ("state.pass", "통과")]),
        ("ja", "👍ﬁ İ 送信しました", [("actions.send", "送信しました")]),
        ("zh", "PR 已合并👍", [("objects.pr", "PR"), ("actions.merge", "已合并")]),
        ("zh", "已创建PR。", [("actions.pr", "已创建PR")]),
        ("ru", "ТЕСТЫ УПАЛИ ❌", [("checks.test", "ТЕСТЫ"), ("polarity.fail", "УПАЛИ")]),
        ("hi", "✅ फाइल भेज दी।", [("objects.file", "फाइल"), ("actions.send", "भेज दी")]),
    ],
)
def test_offsets_are_exact(code: str, text: str, expected: list[tuple[str, str]]) -> None:
    found = spans(code, text)
    for pair in expected:
        assert pair in found


@pytest.mark.parametrize(
    ("code", "text", "tag", "word"),
    [
        ("es", "Envié el correo. 👍", "actions.send", "Envié"),
        ("pt", "Não concluído", "polarity.neg", "Não"),
        ("ko", "테스트가 실패했습니다", "polarity.fail", "실패"),
        ("ja", "デプロイできませんでした", "polarity.fail", "できませんでした"),
        ("hi", "फ़ाइल भेजी", "objects.file", "फ़ाइल"),
    ],
)
def test_decomposed_text_keeps_its_offsets(code: str, text: str, tag: str, word: str) -> None:
    loose = normalize("NFD", text)
    assert (tag, normalize("NFD", word)) in spans(code, loose)


def test_cjk_phrases_with_latin_letters_stand_alone() -> None:
    assert "checks.ci" not in names("zh", "specific 流水")
    assert "objects.pr" not in names("zh", "sprint 已结束")
    assert "actions.push" in names("zh", "已push到 main")
    assert "actions.push" in names("zh", "已 push 到 main")


def test_english_leaves_the_words_of_the_other_language_alone() -> None:
    text = "O arquivo foi salvo no diretório e enviado a todos."
    found = {t.name for t in tag_all(text, tokenize(text), ("pt", "en"))}
    assert "polarity.neg" not in found and "polarity.future" not in found
    assert {"actions.save", "actions.send", "scope.all"} <= found
    text = "Der PR wurde gemergt, all checks green."
    found = {t.name for t in tag_all(text, tokenize(text), ("de", "en"))}
    assert {"actions.merge", "checks.any", "state.pass", "objects.pr"} <= found
    assert tag_all("Done.", tokenize("Done."), ("en",)) == load("en").tags("Done.", [(0, 4)])


def test_the_memory_of_spellings_is_bounded() -> None:
    language = load("en")
    text = " ".join(f"w{n}" for n in range(3 * lexicon._CACHE))
    language.tags(text, tokenize(text))
    assert len(language._seen) <= lexicon._CACHE
    assert "state.done" in names("en", "done")


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize(
    "text",
    [
        "done," * 8000,
        "all " * 50_000,
        "could not " * 20_000,
        "a-" * 100_000,
        "a." * 100_000,
        "l'" * 100_000,
        "已" * 50_000,
        "konnte " * 20_000,
        "a\u0301" * 50_000,
        "/" * 100_000,
        "I've fixed the failing test and pushed it, but I couldn't deploy. " * 15_000,
    ],
    ids=lambda text: repr(text[:12]),
)
def test_hostile_text_ends(code: str, text: str) -> None:
    tokens = tokenize(text)
    assert all(a < b for a, b in tokens)
    load(code).tags(text, tokens)
    detect(text)


def test_long_text_loses_nothing() -> None:
    assert Counter(names for names, _ in spans("en", "done," * 8000))["state.done"] == 8000
    assert Counter(names for names, _ in spans("en", "all " * 50_000))["scope.all"] == 50_000


_SCRAPS = st.sampled_from(
    [
        *[
            "not",
            "no",
            "could",
            "couldn’t",
            "verified",
            "errors",
            "done.",
            "tests/lint",
            "\n",
            "✅",
        ],
        *["İ", "ß", "é", "已", "发送", "完成", "테스트", "실패", "エラー", "なし", "मैंने", "भेजा"],
        *["не", "отправил", "konnte", "nicht", "e-mail", "--no-verify", "a/b.py", "n'ai", "pas"],
    ]
)


@settings(max_examples=150, deadline=None)
@given(
    st.one_of(st.text(max_size=80), st.lists(_SCRAPS, max_size=25).map(" ".join)),
    st.sampled_from(CODES),
)
def test_any_text_has_spans_within_it(text: str, code: str) -> None:
    tokens = tokenize(text)
    assert all(0 <= a < b <= len(text) for a, b in tokens)
    assert all(b <= c for (_, b), (c, _) in pairwise(tokens))
    tags = load(code).tags(text, tokens)
    assert tags == load(code).tags(text, tokens)
    assert tags == sorted(set(tags), key=lambda t: (t.start, t.end, t.name))
    for tag in tags:
        group, _, name = tag.name.partition(".")
        assert name in SCHEMA[group]
        assert 0 <= tag.start < tag.end <= len(text)
        assert not text[tag.start : tag.end].isspace()
    assert set(detect(text)) <= set(CODES)


def test_a_lexicon_can_be_made_of_any_tables() -> None:
    meta = {"language": "xx", "script": "Latin", "source": "test", "stopwords": ["x"]}
    tiny = Lexicon(meta, {"g": {"t": ["a … b", "c*", "b"], "other": ["b d"]}})

    def found(text: str) -> list[tuple[str, int, int]]:
        return [(tag.name, tag.start, tag.end) for tag in tiny.tags(text, tokenize(text))]

    assert found("a x y z b") == [("g.t", 0, 9)]
    assert found("a b") == [("g.t", 0, 3)]
    assert found("b d") == []
    assert found("cat b") == [("g.t", 0, 3), ("g.t", 4, 5)]


# --- detection ----------------------------------------------------------------------------------

CLOSINGS: dict[str, list[str]] = {
    "en": [
        "Done! All 42 tests pass and the branch is pushed.",
        "I've refunded the order and sent you a confirmation.",
        "Fixed.",
        "I was unable to run the migration because the database refused the connection.",
        "Renamed `設定` to `settings` in src/config.ts and updated every import.",
        "## Summary\n- Added `parse_date`\n- Updated README.md\n\nLet me know if you want more.",
        "",
    ],
    "de": [
        "Fertig: alle 42 Tests laufen durch, der Branch ist gepusht.",
        "Ich habe die Bestellung storniert und Ihnen eine Bestätigung geschickt.",
        "Erledigt.",
        "Die Migration konnte leider nicht ausgeführt werden, weil die Datenbank weg ist.",
        "Ich habe `parse_date()` in src/utils/date.py ergänzt und den Import in main.py angepasst.",
        "Der Termin steht jetzt am Freitag um 10 Uhr im Kalender.",
        "Refactoring von UserService abgeschlossen, die API ist unverändert.",
    ],
    "es": [
        "Listo: las 42 pruebas pasan y la rama está subida.",
        "He cancelado el pedido y te he enviado una confirmación.",
        "Ya está hecho, he actualizado el archivo.",
        "No se pudo ejecutar la migración porque la base de datos rechazó la conexión.",
        "He añadido `parse_date()` en src/utils/date.py y actualicé el import en main.py.",
        "La reunión quedó agendada para el viernes a las 10.",
        "Corrí los tests y todos pasaron, pero todavía no hice push.",
    ],
    "fr": [
        "C'est fait : les 42 tests passent et la branche est poussée.",
        "J'ai annulé la commande et je vous ai envoyé une confirmation.",
        "Terminé, le fichier est à jour.",
        "La migration n'a pas pu être exécutée, car la base de données a refusé la connexion.",
        "J'ai ajouté `parse_date()` dans src/utils/date.py et mis à jour l'import dans main.py.",
        "La réunion est planifiée pour vendredi à 10 h.",
        "Je n’ai pas encore lancé les tests.",
    ],
    "pt": [
        "Pronto: os 42 testes passaram e o branch foi enviado.",
        "Cancelei o pedido e enviei uma confirmação para você.",
        "Concluído, o arquivo já está atualizado.",
        "Não foi possível executar a migração porque o banco de dados recusou a conexão.",
        "Adicionei `parse_date()` em src/utils/date.py e atualizei o import no main.py.",
        "A reunião ficou marcada para sexta-feira às 10h.",
        "O ficheiro foi guardado na pasta, mas ainda não corri os testes.",
    ],
    "it": [
        "Fatto: tutti i 42 test passano e il branch è stato inviato.",
        "Ho annullato l'ordine e ti ho inviato una conferma.",
        "Completato, il file è aggiornato.",
        "Non è stato possibile eseguire la migrazione perché il database non risponde.",
        "Ho aggiunto `parse_date()` in src/utils/date.py e aggiornato l'import in main.py.",
        "La riunione è fissata per venerdì alle 10.",
        "I test non sono ancora stati eseguiti.",
    ],
    "zh": [
        "完成！42 个测试全部通过，分支已推送。",
        "我已取消订单，并向您发送了确认邮件。",
        "已修复。",
        "無法執行遷移，因為資料庫拒絕連線。",
        "已在 `src/utils/date.py` 中添加 parse_date()，并更新了 main.py 中的 import。",
        "會議已安排在星期五上午 10 點。",
        "所有 tests 都 pass 了，已 push 到 origin/main。",
    ],
    "ja": [
        "完了しました。42 件のテストがすべて通り、ブランチもプッシュ済みです。",
        "ご注文をキャンセルし、確認メールをお送りしました。",
        "修正しました。",
        "データベースに接続できず、マイグレーションは実行できませんでした。",
        "`src/utils/date.py` に parse_date() を追加し、main.py の import を更新しました。",
        "会議は金曜日の 10 時に設定しました。",
        "テストは未実行。README.md だけ直した。",
    ],
    "ko": [
        "완료했습니다. 테스트 42개가 모두 통과했고 브랜치를 푸시했습니다.",
        "주문을 취소하고 확인 메일을 보내 드렸습니다.",
        "수정 완료.",
        "데이터베이스에 연결할 수 없어 마이그레이션을 실행하지 못했어요.",
        "`src/utils/date.py`에 parse_date()를 추가하고 main.py의 import를 업데이트했습니다.",
        "회의는 금요일 10시로 잡았습니다.",
        "README.md 수정함. 테스트는 아직 안 돌림.",
    ],
    "ru": [
        "Готово: все 42 теста проходят, ветка запушена.",
        "Я отменила заказ и отправила вам подтверждение.",
        "Исправлено.",
        "Не удалось выполнить миграцию: база данных отклонила подключение.",
        "Добавил `parse_date()` в src/utils/date.py и обновил импорт в main.py.",
        "Встреча назначена на пятницу в 10:00.",
        "README.md обновлён, docker compose up не запускал.",
    ],
    "hi": [
        "काम पूरा हो गया: सभी 42 टेस्ट पास हैं और ब्रांच पुश कर दी है।",
        "मैंने ऑर्डर रद्द कर दिया है और आपको पुष्टि ईमेल भेज दिया है।",
        "ठीक कर दिया।",
        "डेटाबेस ने कनेक्शन अस्वीकार किया, इसलिए माइग्रेशन नहीं चल सका।",
        "मैंने `src/utils/date.py` में parse_date() जोड़ा और main.py का import अपडेट किया।",
        "मीटिंग शुक्रवार को 10 बजे तय है।",
        "README.md बदला, टेस्ट नहीं चलाए।",
    ],
}


@pytest.mark.parametrize(
    ("code", "text"), [(code, text) for code, texts in CLOSINGS.items() for text in texts]
)
def test_detect(code: str, text: str) -> None:
    found = detect(text)
    assert found[0] == code
    assert "en" in found
    assert len(found) <= 3


@pytest.mark.parametrize(
    "text",
    [
        "تم إصلاح الخطأ وجميع الاختبارات تعمل الآن.",
        "แก้ไขบั๊กแล้ว และทดสอบผ่านทั้งหมด",
        "Το σφάλμα διορθώθηκε και όλα τα τεστ περνούν.",
        "הבאג תוקן וכל הבדיקות עוברות.",
        "Hata düzeltildi ve tüm testler başarıyla geçti, ancak henüz push yapılmadı.",
        "Naprawiłem błąd i wszystkie testy przechodzą, ale nie udało się wdrożyć.",
        "Ik heb de fout opgelost en alle tests slagen, maar het is nog niet gepusht.",
        "Jag har fixat felet och alla tester går igenom, men det är inte pushat.",
        "Jeg har rettet fejlen, og alle tests er grønne, men det er ikke pushet.",
        "Jeg har fikset feilen og alle testene er grønne, men det er ikke pushet ennå.",
        "Opravil jsem chybu a všechny testy jsou zelené, ale není to nasazené.",
        "Am reparat eroarea și toate testele trec, dar nu este publicat încă.",
        "Saya sudah memperbaiki bug dan semua tes berhasil, tetapi belum di-push.",
        "Tôi đã sửa lỗi và tất cả các bài kiểm tra đã qua, nhưng chưa được đẩy.",
        "Korjasin virheen ja kaikki testit menevät läpi, mutta se ei ole vielä julkaistu.",
        "Kijavítottam a hibát, és minden teszt sikeresen lefutott, de még nem pusholtam.",
    ],
)
def test_we_abstain_from_languages_without_tables(text: str) -> None:
    assert detect(text) == ()


def test_detection_reads_the_head_only_and_no_code() -> None:
    german = "Ich habe die Datei nicht geändert, aber alle Tests sind jetzt fertig. "
    assert (
        detect("```\n" + "the value is not of this and that\n" * 40 + "```\n" + german)[0] == "de"
    )
    assert detect(german * 60 + "это не так " * 4000)[0] == "de"


def test_mixed_messages_are_read_in_both_languages() -> None:
    text = "测试全部通过，已推送。\n\nIn English: all tests pass and the branch is pushed."
    assert set(detect(text)) == {"zh", "en"}
    assert detect("I sent 田中さん the file and updated every row of the table for you.")[0] == "en"
    both = detect("Todos los tests pasan. Ho aggiornato il file e non ho eseguito la migrazione.")
    assert {"es", "it", "en"} >= set(both) and both[0] == "it"


# --- sentences: the tags they must carry (+), and those they must not (-) -----------------------

SENTENCES: dict[str, str] = {
    "en": """
I've fixed the failing test and all 42 tests pass.
  + polarity.repaired scope.all checks.test state.pass actions.fix
  - polarity.fail
However, I was unable to push: the remote rejected it.
  + polarity.contrast polarity.fail
  - actions.push polarity.vague
The refund of $50 has been issued.
  + objects.refund actions.refund
  - polarity.fail
I sent the invite and put it on the calendar.
  + actions.send actions.book objects.invite
  - polarity.neg
The tests were not run.
  + polarity.unverified checks.test
  - state.pass polarity.neg
This should work now, but I haven't tested it.
  + polarity.hedge polarity.unverified polarity.contrast
  - polarity.fail
Once CI is green, I'll merge it.
  + polarity.cond polarity.future checks.ci
  - actions.merge
Would you like me to deploy it?
  + polarity.request
  - actions.deploy
There were a few hiccups along the way.
  + polarity.vague
  - polarity.fail
Skipped 3 flaky tests.
  + polarity.skipped polarity.excuse checks.test
  - state.pass
The build is still running in the background.
  + polarity.pending checks.build
  - state.works state.done
No occurrences were found in the remaining files.
  + answers.absence scope.part
  - scope.all
According to the article, sales fell.
  + answers.source polarity.attributed
  - actions.send
Sorry, I was wrong: nothing has been pushed.
  + polarity.sorry polarity.skipped
  - state.pass
The endpoint returns placeholder data.
  + polarity.stub objects.function
  - state.works
It failed at first and passed on the second attempt.
  + polarity.recovered state.pass
  - polarity.nofail
Merged the PR, tagged v1.2.0 and released it.
  + actions.merge actions.tag actions.release objects.pr
  - polarity.future
I think both replicas are healthy.
  + polarity.belief numbers.2 objects.pod state.pass
  - polarity.fail
Moved the deal to Negotiation and logged the call.
  + actions.move_stage actions.note objects.deal
  - actions.cancel
You can now log in without errors.
  + state.works polarity.nofail state.pass
  - polarity.request polarity.fail
""",
    "de": """
Ich habe den Login-Fehler behoben, alle Tests laufen durch.
  + polarity.repaired actions.fix scope.all state.pass
  - polarity.fail
Die Tests schlugen fehl.
  + polarity.fail checks.test
  - state.pass
Leider konnte ich den Build nicht starten.
  + polarity.fail polarity.contrast checks.build
  - actions.start
Die E-Mail wurde verschickt.
  + actions.send objects.email
  - polarity.neg
Committet, aber noch nicht gepusht.
  + actions.commit polarity.pending polarity.contrast
  - polarity.fail
Der Build läuft noch im Hintergrund.
  + polarity.pending checks.build
  - state.works
Soll ich das deployen?
  + polarity.request
  - actions.deploy
Keine Fehler, Lint ist sauber.
  + polarity.nofail state.pass checks.lint
  - polarity.fail
Laut Doku gibt es keine weiteren Einträge.
  + answers.source answers.absence
  - polarity.fail
Ich habe nur die erste Seite gelesen.
  + scope.part actions.read objects.page
  - scope.all
Die Rückerstattung wurde veranlasst.
  + actions.refund objects.refund
  - polarity.fail
Das sollte jetzt funktionieren.
  + polarity.hedge state.works
  - polarity.fail
Drei Tests wurden übersprungen.
  + polarity.skipped numbers.3
  - state.pass
Der Fehler bestand schon vorher.
  + polarity.excuse
  - actions.fix
Entschuldigung, das war mein Fehler.
  + polarity.sorry
  - state.done
Es gab ein paar Kleinigkeiten.
  + polarity.vague
  - polarity.fail
Der Termin steht im Kalender und die Einladung wurde gesendet.
  + actions.book objects.meeting actions.share
  - polarity.future
""",
    "es": """
He corregido el error y todas las pruebas pasan.
  + polarity.repaired actions.fix scope.all state.pass
  - polarity.fail
No pude ejecutar los tests.
  + polarity.fail polarity.unverified checks.test
  - actions.run
Se envió el correo al cliente.
  + actions.send objects.email objects.contact
  - polarity.neg
Hice commit, pero todavía no hice push.
  + actions.commit polarity.skipped
  - polarity.fail
El despliegue sigue en curso.
  + polarity.pending objects.service
  - actions.deploy
¿Quieres que lo despliegue?
  + polarity.request
  - actions.deploy
Sin errores ni advertencias.
  + polarity.nofail state.pass
  - polarity.fail
No se encontraron más registros.
  + answers.absence objects.record
  - state.pass
Solo leí la primera página.
  + scope.part actions.read objects.page
  - scope.all
El reembolso ya ha sido procesado.
  + actions.refund objects.refund
  - polarity.fail
Debería funcionar ahora.
  + polarity.hedge
  - polarity.fail
Omití dos pruebas inestables.
  + polarity.skipped polarity.excuse numbers.2
  - state.pass
Hubo algunos contratiempos.
  + polarity.vague
  - polarity.fail
Perdón, me equivoqué.
  + polarity.sorry
  - state.done
Agendé la reunión y quedó en tu calendario.
  + actions.book objects.meeting
  - polarity.future
El fichero se guardó en la carpeta.
  + actions.save objects.file objects.folder
  - polarity.neg
""",
    "fr": """
J'ai corrigé l'erreur et tous les tests passent.
  + polarity.repaired actions.fix scope.all state.pass
  - polarity.fail
Je n'ai pas pu lancer les tests.
  + polarity.fail polarity.unverified checks.test
  - state.pass
L'e-mail a été envoyé au client.
  + actions.send objects.email objects.contact
  - polarity.neg
Le commit est fait, mais rien n'a été poussé.
  + polarity.contrast polarity.skipped
  - polarity.fail
Le déploiement est en cours.
  + polarity.pending
  - actions.deploy
Voulez-vous que je le déploie ?
  + polarity.request
  - actions.deploy
Aucune erreur, aucun avertissement.
  + polarity.nofail state.pass
  - polarity.fail
Aucun résultat n'a été trouvé.
  + answers.absence
  - scope.all
Je n'ai lu que la première page.
  + scope.part actions.read objects.page
  - scope.all
Le remboursement a bien été effectué.
  + actions.refund objects.refund
  - polarity.fail
Cela devrait fonctionner.
  + polarity.hedge
  - polarity.fail
Deux tests ont été ignorés.
  + polarity.skipped numbers.2
  - state.pass
Il y a eu quelques petits soucis.
  + polarity.vague
  - polarity.fail
Désolé, je me suis trompé.
  + polarity.sorry
  - state.done
Le rendez-vous est dans votre agenda.
  + actions.book objects.meeting
  - polarity.future
Les tests échouent toujours.
  + polarity.fail checks.test
  - state.pass
""",
    "pt": """
Corrigi o erro e todos os testes passaram.
  + polarity.repaired actions.fix scope.all state.pass
  - polarity.fail
Não consegui rodar os testes.
  + polarity.fail polarity.unverified checks.test
  - actions.run
O e-mail foi enviado ao cliente.
  + actions.send objects.email
  - polarity.neg
Fiz o commit, mas ainda não fiz push.
  + actions.commit polarity.skipped
  - polarity.fail
A implantação está em andamento.
  + polarity.pending
  - actions.deploy state.done
Quer que eu publique?
  + polarity.request
  - actions.post
Sem erros nem avisos.
  + polarity.nofail state.pass
  - polarity.fail
Nenhum registro foi encontrado.
  + answers.absence objects.record
  - scope.all
Li apenas a primeira página.
  + scope.part actions.read objects.page
  - scope.all
O estorno já foi realizado.
  + actions.refund objects.refund
  - polarity.fail
Deve funcionar agora.
  + polarity.hedge
  - polarity.fail
Pulei dois testes instáveis.
  + polarity.skipped numbers.2
  - state.pass
Houve alguns percalços.
  + polarity.vague
  - polarity.fail
Desculpe, eu me enganei.
  + polarity.sorry
  - state.done
O ficheiro foi guardado e o utilizador foi notificado.
  + actions.save objects.file objects.user actions.notify
  - polarity.neg
A reunião está marcada e consta na sua agenda.
  + actions.book objects.meeting
  - polarity.future
""",
    "it": """
Ho corretto l'errore e tutti i test passano.
  + polarity.repaired actions.fix scope.all state.pass
  - polarity.fail
Non sono riuscito a eseguire i test.
  + polarity.fail polarity.unverified checks.test
  - actions.run
L'e-mail è stata inviata al cliente.
  + actions.send objects.email
  - polarity.neg
Ho fatto il commit, ma non ho fatto il push.
  + actions.commit polarity.skipped
  - polarity.fail
La build è ancora in corso.
  + polarity.pending checks.build
  - state.done
Vuoi che lo pubblichi?
  + polarity.request
  - actions.post
Senza errori né avvisi.
  + polarity.nofail state.pass
  - polarity.fail
Non sono stati trovati altri record.
  + answers.absence objects.record
  - scope.all
Ho letto solo la prima pagina.
  + scope.part actions.read objects.page
  - scope.all
Il rimborso è stato effettuato.
  + actions.refund objects.refund
  - polarity.fail
Dovrebbe funzionare.
  + polarity.hedge
  - polarity.fail
Ho saltato due test instabili.
  + polarity.skipped numbers.2
  - state.pass
C'è stato qualche piccolo intoppo.
  + polarity.vague
  - polarity.fail
Scusa, mi sono sbagliato.
  + polarity.sorry
  - state.done
La riunione è nel tuo calendario.
  + actions.book objects.meeting
  - polarity.future
La versione francese è rimasta fuori.
  + polarity.skipped
  - state.done
""",
    "zh": """
已修复登录错误，所有测试全部通过。
  + actions.fix scope.all checks.test state.pass
  - polarity.pending
没有运行测试。
  + polarity.unverified checks.test
  - actions.run state.pass
无法部署：权限不足。
  + polarity.fail
  - actions.deploy
確認郵件已發送給客戶。
  + actions.send objects.email objects.contact
  - polarity.neg
已提交，尚未推送。
  + actions.commit polarity.skipped
  - actions.push
构建仍在运行。
  + polarity.pending checks.build
  - actions.build
需要我现在部署吗？
  + polarity.request
  - actions.deploy
没有错误，也没有警告。
  + polarity.nofail state.pass
  - polarity.fail
根据文档，没有找到相关记录。
  + answers.source answers.absence
  - actions.search
只读了第一页。
  + scope.part actions.read
  - scope.all
退款已处理完毕。
  + objects.refund actions.process
  - polarity.fail
应该可以正常工作了。
  + polarity.hedge state.works
  - polarity.fail
跳过了两个测试。
  + polarity.skipped numbers.2
  - state.pass
出现了一些小问题，不过总体顺利。
  + polarity.vague
  - polarity.fail
抱歉，我弄错了。
  + polarity.sorry
  - state.done
會議已加入日曆。
  + actions.book objects.meeting
  - polarity.future
這是既有問題，與本次修改無關。
  + polarity.excuse
  - actions.fix
""",
    "ja": """
ログインのエラーを修正し、テストはすべて通りました。
  + polarity.repaired actions.fix scope.all state.pass
  - polarity.fail
テストは実行していません。
  + polarity.unverified checks.test
  - actions.run state.pass
権限がなく、デプロイできませんでした。
  + polarity.fail
  - actions.deploy
確認メールをお送りしました。
  + actions.send objects.email
  - polarity.neg
コミットしましたが、プッシュはしていません。
  + actions.commit polarity.skipped
  - actions.push
ビルドは実行中です。
  + polarity.pending checks.build
  - actions.build
デプロイしましょうか？
  + polarity.request
  - actions.deploy
エラーも警告もありません。
  + objects.error objects.warning
  - state.works
エラーはありません。
  + polarity.nofail state.pass
  - polarity.fail
該当する記録は見つかりませんでした。
  + answers.absence objects.record
  - actions.search
最初のページだけ読んだ。
  + scope.part actions.read objects.page
  - scope.all
返金処理が完了しました。
  + actions.refund objects.refund
  - polarity.fail
これで動くはずです。
  + polarity.hedge
  - polarity.fail
2件のテストをスキップしました。
  + polarity.skipped checks.test
  - state.pass
軽微な引っかかりがありました。
  + polarity.vague
  - polarity.fail
申し訳ありません、私の誤りでした。
  + polarity.sorry
  - state.done
会議をカレンダーに登録した。既存の問題とは無関係です。
  + polarity.excuse objects.meeting
  - polarity.fail
""",
    "ko": """
로그인 오류를 수정했고 모든 테스트가 통과했습니다.
  + polarity.repaired actions.fix scope.all state.pass
  - polarity.fail
테스트는 실행하지 않았어요.
  + polarity.unverified checks.test
  - actions.run state.pass
권한이 없어서 배포하지 못했습니다.
  + polarity.fail polarity.skipped
  - actions.deploy
확인 메일을 보냈습니다.
  + actions.send objects.email
  - polarity.neg
커밋했지만 푸시하지 않았습니다.
  + actions.commit polarity.skipped
  - actions.push
빌드가 아직 진행 중입니다.
  + polarity.pending checks.build
  - state.done
배포해 드릴까요?
  + polarity.request
  - polarity.fail
오류 없이 끝났어요.
  + polarity.nofail state.done
  - polarity.fail
관련 기록이 없습니다.
  + answers.absence objects.record
  - state.pass
첫 페이지만 읽었음.
  + scope.part actions.read objects.page
  - scope.all
환불 처리가 완료되었습니다.
  + objects.refund state.done
  - polarity.fail
이제 될 것으로 예상됩니다.
  + polarity.hedge
  - polarity.fail
테스트 두 개를 건너뛰었습니다.
  + polarity.skipped numbers.2
  - state.pass
사소한 문제가 있었어요.
  + polarity.vague
  - state.pass
죄송합니다, 제가 틀렸습니다.
  + polarity.sorry
  - state.done
회의를 캘린더에 추가했다.
  + actions.book objects.meeting
  - polarity.future
기존 문제라 이번 변경과 무관합니다.
  + polarity.excuse
  - actions.fix
""",
    "ru": """
Исправил ошибку входа, все тесты проходят.
  + polarity.repaired actions.fix scope.all state.pass
  - polarity.fail
Тесты я не запускала.
  + polarity.unverified checks.test
  - state.pass
Развернуть не удалось: недостаточно прав.
  + polarity.fail
  - actions.deploy
Письмо клиенту отправлено.
  + actions.send objects.email objects.contact
  - polarity.neg
Закоммитил, но не пушил.
  + actions.commit polarity.skipped
  - actions.push
Сборка ещё выполняется.
  + polarity.pending checks.build
  - state.done
Хотите, чтобы я это развернул?
  + polarity.request
  - polarity.fail
Без ошибок и предупреждений.
  + polarity.nofail state.pass
  - polarity.fail
Согласно документации, записей не найдено.
  + answers.source answers.absence
  - scope.all
Прочитала только первые страницы.
  + scope.part actions.read objects.page
  - scope.all
Возврат средств оформлен.
  + actions.refund objects.refund
  - polarity.fail
Должно работать.
  + polarity.hedge
  - polarity.fail
Два теста пропущены.
  + polarity.skipped numbers.2
  - state.pass
Были небольшие шероховатости.
  + polarity.vague
  - polarity.fail
Извините, я ошибся.
  + polarity.sorry
  - state.done
Встреча добавлена в календарь.
  + actions.book objects.meeting
  - polarity.future
""",
    "hi": """
मैंने त्रुटि ठीक कर दी और सभी टेस्ट पास हो गए।
  + polarity.repaired scope.all state.pass checks.test
  - polarity.fail
टेस्ट नहीं चलाए गए।
  + polarity.unverified checks.test
  - state.pass
अनुमति नहीं थी, इसलिए डिप्लॉय नहीं कर सका।
  + polarity.fail
  - actions.deploy
ग्राहक को ईमेल भेज दिया गया है।
  + actions.send objects.email objects.contact
  - polarity.neg
कमिट कर दिया, लेकिन पुश नहीं किया।
  + actions.commit polarity.skipped
  - actions.push
बिल्ड अभी चल रहा है।
  + polarity.pending checks.build
  - state.done
क्या आप चाहते हैं कि मैं इसे डिप्लॉय करूँ?
  + polarity.request
  - actions.deploy
कोई त्रुटि नहीं मिली।
  + polarity.nofail state.pass
  - polarity.fail
दस्तावेज़ के अनुसार कोई रिकॉर्ड नहीं है।
  + answers.source answers.absence
  - state.done
मैंने केवल पहला पृष्ठ पढ़ा।
  + scope.part actions.read objects.page
  - scope.all
रिफंड जारी कर दिया गया है।
  + actions.refund objects.refund
  - polarity.fail
शायद यह काम करेगा।
  + polarity.hedge
  - polarity.fail
दो टेस्ट छोड़ दिए।
  + polarity.skipped numbers.2
  - state.pass
छोटी-मोटी दिक्कतें आईं।
  + polarity.vague
  - state.pass
माफ़ कीजिए, मुझसे गलती हुई।
  + polarity.sorry
  - state.done
मीटिंग कैलेंडर में जोड़ दी है।
  + actions.book objects.meeting
  - polarity.future
""",
}


def rows() -> list[tuple[str, str, set[str], set[str]]]:
    """(language, sentence, tags it must carry, tags it must not carry)."""
    found = []
    for code, block in SENTENCES.items():
        lines = block.strip().split("\n")
        for text, must, must_not in zip(lines[::3], lines[1::3], lines[2::3], strict=True):
            assert must.startswith("  + ") and must_not.startswith("  - "), text
            found.append((code, text, set(must[4:].split()), set(must_not[4:].split())))
    return found


@pytest.mark.parametrize(("code", "text", "must", "must_not"), rows())
def test_sentences(code: str, text: str, must: set[str], must_not: set[str]) -> None:
    found = names(code, text)
    assert must <= found
    assert not must_not & found
    known = {f"{group}.{tag}" for group, tags in SCHEMA.items() for tag in tags}
    assert must | must_not <= known


def test_every_language_has_its_sentences() -> None:
    assert set(SENTENCES) == set(CLOSINGS) == set(CODES)
    assert min(Counter(code for code, *_ in rows()).values()) >= 15
    assert min(len(texts) for texts in CLOSINGS.values()) >= 6
