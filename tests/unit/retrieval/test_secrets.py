"""What counts as a secret."""

from __future__ import annotations

import pytest

from forms_dynamics.language.secrets import MARK, redact


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("the staging DB password is Tr0ub4dor-77 and", "Tr0ub4dor-77"),
        ("the key is sk-test-abcdefghijklmnopqrstuvwx0123.", "sk-test-abcdefghijklmnopqrstuvwx0123"),
        ("postgres://admin:Qw8-secret@10.1.2.3:5432/crm", "Qw8-secret"),
        ("mysql://root:p@ss@w0rd@db/x", "p@ss@w0rd"),
        ("我身份证110101190001010006", "110101190001010006"),
        ("card 4111 1111 1111 1111 please", "4111 1111 1111 1111"),
        ("我的密码是hunter2，别说", "hunter2"),
        ("数据库密码改成Tr0ub4dor了", "Tr0ub4dor"),
        ("AKIAIOSFODNN7EXAMPLE is ours", "AKIAIOSFODNN7EXAMPLE"),
        ("Authorization: Bearer abcdefghijklmnop", "abcdefghijklmnop"),
        ("api_key=abcd1234efgh&x=1", "abcd1234efgh"),
        ("验证码是 392811", "392811"),
        ("银行卡 6225 7600 0000 0001", "6225 7600 0000 0001"),
        ("ghp_abcdefghijklmnopqrstuvwxyz012345", "ghp_abcdefghijklmnopqrstuvwxyz012345"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----", "MIIE"),
    ],
)
def test_secrets_go(text: str, secret: str) -> None:
    assert secret not in redact(text)
    assert MARK in redact(text)


@pytest.mark.parametrize(
    "text",
    [
        "手机13800138000",
        "订单号 20261129123456789",
        "+44 20 7946 0888",
        "password reset is needed tomorrow",
        "token budget is 3000",
        "the password policy changed",
        "see http://x.com:8080/a@b",
        "预算50万，首付30%",
        "Q-9, L-000123, 2026-11-29",
        "ask-me-anything",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert redact(text) == text


GLUED = [
    "sk-proj-Ab3dEf6hIj9kLmN0pQrStUvWxYz1234567890abcd",
    "sk-ant-api03-" + "Zx9" * 20,
    "AKIAIOSFODNN7EXAMPLE",
    "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8",
    "xoxb-" + "123456789012-123456789012-AbCdEfGhIjKlMnOpQrStUvWx",
    "AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY",
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
    "sk_" + "live_" + "4eC39HqLyjWDarjtT1zdp7dc",
    "hf_AbCdEfGhIjKlMnOpQrStUvWxYzAbCdEfGh",
    "glpat-xYz12AbC34dEf56GhI78",
    "4111.1111.1111.1111",
    "4111\u200b1111\u200b1111\u200b1111",
    "4111-1111-1111\n1111",
    "3782 822463 10005",
    "四一一一一一一一一一一一一一一一",
    "肆壹壹壹 壹壹壹壹 壹壹壹壹 壹壹壹壹",
    "１１０１０５１９４９１２３１００２Ｘ",
    "110105 19491231 002X",
    "110105 1949 1231 002 X",
    "110105491231002",
    "078-05-1120",
    "DE89 3704 0044 0532 0130 00",
    "GB82WEST12345698765432",
    "A123456(3)",
    "AB 12 34 56 C",
]


@pytest.mark.parametrize("secret", GLUED)
@pytest.mark.parametrize("around", ["我这个{}你记一下", "用了{}。", "with {} you know", "12 {}, 34"])
def test_secrets_go_however_they_are_written(secret: str, around: str) -> None:
    text = around.format(secret)
    assert redact(text) == around.format(MARK)
    assert redact(redact(text)) == redact(text)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("护照号E12345678。", "护照号[REDACTED]。"),
        ("護照號碼是 E12345678", "護照號碼是 [REDACTED]"),
        ("passport number E12345678, ok", "passport number [REDACTED], ok"),
        ("my SSN is 078051120", "my SSN is [REDACTED]"),
        ("NINO: AB123456C", "NINO: [REDACTED]"),
        ("HKID A123456(3)", "HKID [REDACTED]"),
        ("身份證字號A123456789", "身份證字號[REDACTED]"),
        ("cvv 123", "cvv [REDACTED]"),
        ("安全码是123，对吧", "安全码是[REDACTED]，对吧"),
        ("api_key=sk-proj-Ab3dEf6hIj9kLmN0pQrSt", "api_key=[REDACTED]"),
        ("密\u200b码是hunter2x", "密\u200b码是[REDACTED]"),
        ("card four one one one one one one one one one one one one one one one", "card [REDACTED]"),
        ("order 12 4111 1111 1111 1111 05/27", "order 12 [REDACTED] 05/27"),
        ("4111 1111 1111 1111, 5500 0000 0000 0004", "[REDACTED], [REDACTED]"),
    ],
)
def test_announced_numbers_go_and_the_rest_stays(text: str, left: str) -> None:
    assert redact(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "13800138000 13900139000",
        "400-820-8820 400-820-8821",
        "2026-03-04 2026-05-06",
        "3000\n4000\n5000\n6000",
        "1,000,000,000,000",
        "3.4111111111111111",
        "护照2027年5月到期",
        "passport expires 2027-05-01",
        "我的护照，电话13800138000",
        "一共一二三四五六七八",
        "commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "ID 123456789, A123456789, AB123456C",
        "密码学是个好学科",
        "我们的银行账期30天",
        "task-abcdefghijkl12345",
    ],
)
def test_numbers_like_secrets_stay(text: str) -> None:
    assert redact(text) == text
