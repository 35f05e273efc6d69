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
