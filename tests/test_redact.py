"""Secrets go, what they were stays readable, and ordinary text comes out as it went in."""

from __future__ import annotations

import json
import random
import subprocess
import unittest

from hooklib.redact import MARK, redact
from support import LIB, PYTHON

# Every secret is put together from pieces, so that no scanner takes this file for a leak.
HEX = "9f3a7c01b2d4e586"
MIX = "a1B2c3D4e5F6g7H8"
UP = "Q7ZK2M9XW4T8B3RN"
B64 = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC"
JWT = ".".join(("ey" + "J" + "hbGciOiJIUzI1NiJ9", "ey" + "J" + "zdWIiOiI0MiJ9", "s1G" + MIX))
BEGIN, END = "-----BEGIN %sPRIVATE KEY" + "-----", "-----END %sPRIVATE KEY" + "-----"
PEM = BEGIN % "RSA " + "\n" + "\n".join([B64 + B64] * 3) + "\n" + "Zm9vYmFy" + "\n" + END % "RSA "
PW = "hunter" + "2abc"  # a password as people choose them
WORD = "let" + "mein"  # and one without a digit

# text, what must be gone, what must be kept
SECRETS = [
    # known by their shape
    ("sk-" + "ant-api03-" + MIX * 4 + "-AA", MIX, "sk-ant-" + MARK),
    ("key sk-" + "proj-" + MIX + "_" + MIX + ".", MIX, "key sk-proj-" + MARK + "."),
    ("sk-" + "svcacct-" + MIX + "-" + MIX, MIX, "sk-svcacct-" + MARK),
    ("sk-" + MIX * 3, MIX, "sk-" + MARK),
    ("sk-" + "or-v1-" + HEX * 4, HEX, "sk-or-v1-" + MARK),
    ("ghp" + "_" + "a1B2" * 9, "a1B2", "ghp_" + MARK),
    ("gho" + "_" + "a1B2" * 9, "a1B2", "gho_" + MARK),
    ("ghu" + "_" + "a1B2" * 9, "a1B2", "ghu_" + MARK),
    ("ghs" + "_" + "a1B2" * 9, "a1B2", "ghs_" + MARK),
    ("ghr" + "_" + "a1B2" * 9, "a1B2", "ghr_" + MARK),
    ("我的是ghp" + "_" + "a1B2" * 9 + "，别外传", "a1B2", "我的是ghp_" + MARK + "，别外传"),
    ("github" + "_pat_" + MIX + "_" + MIX * 3, MIX, "github_pat_" + MARK),
    ("glpat" + "-" + MIX + "-abcd", MIX, "glpat-" + MARK),
    ("xoxb" + "-1234567890-" + MIX, MIX, "xoxb-" + MARK),
    ("xoxp" + "-1234567890-987-" + HEX, HEX, "xoxp-" + MARK),
    ("xapp" + "-1-A0-" + HEX, HEX, "xapp-" + MARK),
    ("https://hooks.slack" + ".com/services/T0AB/B0CD/" + MIX, MIX, "hooks.slack.com/services/"),
    ("AKIA" + UP, UP, "AKIA" + MARK),
    ("(ASIA" + UP + ")", UP, "(ASIA" + MARK + ")"),
    ("AIza" + "Sy" + MIX * 2 + "-", MIX, "AIza" + MARK),
    ("ya29" + ".a0Af_" + MIX * 2, MIX, "ya29." + MARK),
    ("GOCSPX" + "-" + MIX + "_abcd", MIX, "GOCSPX-" + MARK),
    ("npm" + "_" + "a1B2" * 9, "a1B2", "npm_" + MARK),
    ("pypi" + "-AgEIcHlwaS5vcmc" + MIX * 3, MIX, "pypi-" + MARK),
    ("hf" + "_" + "aBcD1" * 7, "aBcD1", "hf_" + MARK),
    ("SG" + "." + MIX + "_abcdef." + MIX * 2, MIX, "SG." + MARK),
    ("sk" + "_live_" + MIX, MIX, "sk_live_" + MARK),
    ("rk" + "_live_" + MIX, MIX, "rk_live_" + MARK),
    ("sk" + "_test_" + MIX, MIX, "sk_test_" + MARK),
    ("whsec" + "_" + MIX * 2, MIX, "whsec_" + MARK),
    ("dop" + "_v1_" + HEX * 4, HEX, "dop_v1_" + MARK),
    ("shpat" + "_" + HEX * 2, HEX, "shpat_" + MARK),
    ("12345678" + "90:AA" + MIX * 2 + "x", MIX, "1234567890:" + MARK),
    ("https://api.telegram.org/bot" + "123456789:" + MIX * 2 + "xyz/getMe", MIX, "/getMe"),
    ("AGE-SECRET" + "-KEY-1" + UP * 4, UP, "AGE-SECRET-KEY-1" + MARK),
    (JWT, MIX, "eyJ" + MARK),
    ("see " + JWT.rpartition(".")[0] + ", cut", "zdWIiOiI0MiJ9", "see eyJ" + MARK + ", cut"),
    ("Cookie: session=" + JWT + "; theme=dark", MIX, "; theme=dark"),
    (r"first line\nghp" + "_" + "a1B2" * 9, "a1B2", r"\nghp_" + MARK),
    ("?q%3Dghp" + "_" + "a1B2" * 9, "a1B2", "%3Dghp_" + MARK),
    ("\x1b[32mghp" + "_" + "a1B2" * 9 + "\x1b[0m", "a1B2", "\x1b[32mghp_" + MARK + "\x1b[0m"),
    # private keys
    (PEM, "Zm9vYmFy", "KEY-----" + MARK + "\n-----END RSA"),
    (PEM, B64, "-----BEGIN RSA PRIVATE KEY-----"),
    (PEM.replace("\n", "\\n"), B64, "-----END RSA"),
    (PEM.replace("\n", "\n    "), B64, "-----END RSA"),
    (PEM.replace("\n", "\n    7→"), B64, "-----END RSA"),
    (BEGIN % "" + "\n" + B64 + "\n" + B64[:20], B64[:16], "-----BEGIN PRIVATE KEY-----" + MARK),
    (BEGIN % "" + "\n" + B64 + "\n\nthen some prose", B64, MARK + "\n\nthen some prose"),
    (BEGIN % "OPENSSH " + "\n" + B64 + "\n" + END % "OPENSSH ", B64, "BEGIN OPENSSH PRIVATE KEY"),
    (BEGIN % "EC " + "\nDEK-Info: AES,0F\n\n" + B64 + "\n" + END % "EC ", B64, "BEGIN EC PRIVATE"),
    ('{"private_key": "' + PEM.replace("\n", "\\n") + '\\n"}', B64, '\\n"}'),
    # names, as in a shell or an .env file
    ("API_KEY=" + MIX, MIX, "API_KEY=" + MARK),
    ("export GITHUB_TOKEN=" + HEX, HEX, "export GITHUB_TOKEN=" + MARK),
    ("DB_PASSWORD=" + WORD, WORD, "DB_PASSWORD=" + MARK),
    ("DB_PASSWORD='" + WORD + " now'", WORD, "DB_PASSWORD='" + MARK + "'"),
    ('MYSQL_ROOT_PASSWORD="' + PW + '"', PW, '"' + MARK + '"'),
    ("SMTP_PASS=" + PW, PW, "SMTP_PASS=" + MARK),
    ("PGPASSWORD=" + WORD + " psql -h db", WORD, "PGPASSWORD=" + MARK + " psql -h db"),
    ("STRIPE_SECRET_KEY=" + MIX, MIX, "STRIPE_SECRET_KEY=" + MARK),
    ("AWS_SECRET_ACCESS_KEY=wJalr/" + MIX + "+x", MIX, "AWS_SECRET_ACCESS_KEY=" + MARK),
    ("aws_secret_access_key = wJalr/" + MIX, MIX, "aws_secret_access_key = " + MARK),
    ("SECRET_KEY_BASE=" + HEX * 4, HEX, "SECRET_KEY_BASE=" + MARK),
    ("JWT_SECRET=super" + "-secret-key", "super-", "JWT_SECRET=" + MARK),
    ("DB_PASSWORD_2=p&q" + PW, PW, "DB_PASSWORD_2=" + MARK),
    ("$env:API_TOKEN = '" + MIX + "'", MIX, "$env:API_TOKEN = '" + MARK + "'"),
    (r"A=1\nDB_PASSWORD=" + WORD + r"\nB=2", WORD, r"A=1\nDB_PASSWORD=" + MARK + r"\nB=2"),
    # names, as in code and settings
    ("password=" + PW, PW, "password=" + MARK),
    ("password = " + PW, PW, "password = " + MARK),
    ("password: " + PW + "\nuser: bob", PW, "password: " + MARK + "\nuser: bob"),
    ("passwd: 12345" + "678", "12345", "passwd: " + MARK),
    ("connect(user='bob', password='" + WORD + "')", WORD, "password='" + MARK + "')"),
    ("def f(token: str = '" + MIX + "') -> None:", MIX, "token: str = '" + MARK + "') -> None:"),
    ("const apiKey = `" + MIX + "`;", MIX, "const apiKey = `" + MARK + "`;"),
    ("clientSecret: '" + MIX + "',", MIX, "clientSecret: '" + MARK + "',"),
    ('db.userPassword := "' + WORD + '"', WORD, "userPassword := "),
    ("'dbPass' => '" + WORD + "',", WORD, "'dbPass' => '" + MARK + "',"),
    ("auth: { user: 'bob', pass: '" + PW + "' }", PW, "pass: '" + MARK + "' }"),
    ('{"password": "' + WORD + '", "user": "bob"}', WORD, '"' + MARK + '", "user": "bob"}'),
    ('{"password":"a\\"' + WORD + '","n":1}', WORD, '{"password":"' + MARK + '","n":1}'),
    (r"{\"auth_token\": \"" + MIX + r"\", \"n\": 1}", MIX, r"\"" + MARK + r"\", \"n\": 1}"),
    ('"accessToken":"' + HEX + '"', HEX, '"accessToken":"' + MARK + '"'),
    ('{"auth": "dXNlcjpwYX' + 'NzX"}', "dXNlcjpwYX", '{"auth": "' + MARK + '"}'),
    ("{password:" + PW + ",user:bob}", PW, "{password:" + MARK + ",user:bob}"),
    ("credentials: " + MIX, MIX, "credentials: " + MARK),
    ("private-key=" + HEX, HEX, "private-key=" + MARK),
    ("//packages.example.org/:_authToken=" + HEX, HEX, ":_authToken=" + MARK),
    ("the passphrase is set: passphrase=" + WORD, WORD, "is set: passphrase=" + MARK),
    ("<server><password>" + WORD + "</password></server>", WORD, MARK + "</password></server>"),
    ('<add key="DbPassword" value="' + WORD + '"/>', WORD, 'value="' + MARK + '"/>'),
    ("headers.set('X-Api-Key', '" + MIX + "')", MIX, "'X-Api-Key', '" + MARK + "')"),
    ("OPENAI_KEY=" + MIX, MIX, "OPENAI_KEY=" + MARK),
    ("API key: " + MIX, MIX, "API key: " + MARK),
    ("aws configure set aws_secret_access_key wJalr/" + MIX, MIX, "access_key " + MARK),
    ("- name: DB_PASSWORD\n  value: " + WORD, WORD, "DB_PASSWORD\n  value: " + MARK),
    ('{"name": "DB_PASSWORD", "value": "' + WORD + '"}', WORD, '"value": "' + MARK + '"}'),
    ("srv\\password: " + PW, PW, "srv\\password: " + MARK),
    ("password=9z<2," + PW, PW, "password=" + MARK),
    # other languages
    ("密码：" + PW, PW, "密码：" + MARK),
    ("数据库密码：" + PW + "，请保密", PW, "密码：" + MARK + "，请保密"),
    ("密碼=" + WORD, WORD, "密碼=" + MARK),
    ("密码是" + PW + "。", PW, "密码是" + MARK + "。"),
    ("令牌: " + MIX, MIX, "令牌: " + MARK),
    ("密钥=" + MIX, MIX, "密钥=" + MARK),
    # headers, options, addresses
    ("Authorization: Bearer " + MIX, MIX, "Authorization: Bearer " + MARK),
    ("authorization: bearer " + HEX, HEX, "authorization: bearer " + MARK),
    ("Authorization: Basic dXNlcjpw" + "YXNzd29yZA==", "dXNlcjpw", "Authorization: Basic " + MARK),
    ("Authorization: token " + HEX[:12], HEX[:12], "Authorization: token " + MARK),
    ("Authorization: ApiKey " + MIX[:12], MIX[:12], "Authorization: ApiKey " + MARK),
    ("curl -H 'Authorization: Bearer " + MIX + "' x", MIX, "Bearer " + MARK + "' x"),
    ('{"Authorization": "Bearer ' + MIX + '"}', MIX, '"Bearer ' + MARK + '"}'),
    ("Sent Bearer " + MIX + " to it", MIX, "Sent Bearer " + MARK + " to it"),
    ("X-Api-Key: " + MIX, MIX, "X-Api-Key: " + MARK),
    ("PRIVATE-TOKEN: " + MIX, MIX, "PRIVATE-TOKEN: " + MARK),
    ("deploy --password " + PW + " --force", PW, "--password " + MARK + " --force"),
    ("deploy --password=" + WORD + " --force", WORD, "--password=" + MARK + " --force"),
    ("deploy --api-key " + MIX, MIX, "--api-key " + MARK),
    ('["deploy", "--token", "' + MIX + '"]', MIX, '"--token", "' + MARK + '"]'),
    ("postgres://user:" + PW + "@host/db", PW, "postgres://user:" + MARK + "@host/db"),
    ("redis://:" + WORD + "@cache:6379/0", WORD, "redis://:" + MARK + "@cache:6379/0"),
    ("https://bob:p@ss" + WORD + "@example.com/x?y=1", WORD, "bob:" + MARK + "@example.com/x?y=1"),
    ("mongodb+srv://u:" + "pass" + "word@a.b", "password", "mongodb+srv://u:" + MARK + "@a.b"),
    ("https://x.io/a?token=" + MIX + "&page=2", MIX, "?token=" + MARK + "&page=2"),
    ("https://x.io/a?page=2&api_key=" + WORD, WORD, "&api_key=" + MARK),
    ("https://x.blob.core/c?sv=1&sig=" + MIX + "%2Fab%3D&se=2", MIX, "sig=" + MARK + "&se=2"),
    ("Server=db;User Id=sa;Password=" + WORD + ";", WORD, "User Id=sa;Password=" + MARK + ";"),
    ("Server=db;Pwd=" + PW + ";Encrypt=yes", PW, "Pwd=" + MARK + ";Encrypt=yes"),
    ("AccountKey=" + MIX * 3 + "==;EndpointSuffix=x", MIX, "Key=" + MARK + ";EndpointSuffix=x"),
    ("SharedAccessKey=" + MIX * 2 + "=", MIX, "SharedAccessKey=" + MARK),
    ("curl -u bob:" + WORD + " https://x.io", WORD, "curl -u bob:" + MARK + " https://x.io"),
    ("curl -s \\\n  --user 'bob:" + WORD + "' x.io", WORD, "--user 'bob:" + MARK + "' x.io"),
    ("mysql -u root -p" + WORD + " shop", WORD, "mysql -u root -p" + MARK + " shop"),
    ("sshpass -p " + WORD + " ssh host", WORD, "sshpass -p " + MARK + " ssh host"),
    ("machine x.io login bob password " + WORD, WORD, "login bob password " + MARK),
    ("CREATE USER bob IDENTIFIED BY '" + WORD + "';", WORD, "IDENTIFIED BY '" + MARK + "';"),
]

ORDINARY = [
    # prose
    "",
    "password",
    "The password is wrong.",
    "Please enter your password: ",
    "Forgot password? Reset it.",
    "token: see the docs",
    "token: see-the-docs-at-the-usual-place",
    "Token: expired",
    "password: required",
    "secret: yes",
    "Passwords: at least 8 characters",
    "password: must contain 8 characters",
    "the secret of good code",
    "a token is a word, a key is a token",
    "API key: where to find it",
    "bearer of bad news",
    "Bearer authentication is required",
    "Authorization: required",
    "Basic authentication with username and password",
    "use --password to give it, --token TOKEN for a token",
    "risk-averse people, task-oriented-scheduling-of-everything-20240101",
    "sk-learn, sk-fading-circle-with-many-dots-12",
    "pypi-publish-action-for-a-package-with-a-long-name",
    "hf_hub_download and npm_config_registry",
    "password -> secret -> token",
    "keyboard=us",
    "tokenizer=fast",
    "monkey: 1, turkey=2, keynote: today",
    "author: Jane",
    "authors=Jane,Bob12345678",
    "compass: north",
    "bypass=always",
    "3 pass, 0 fail; pass: 12 fail: 0",
    "the 密码 field",
    "密码",
    "密码错误，请重新输入",
    "密码：请输入至少8位字符",
    "密码是什么？",
    "密码为：空",
    "令牌：见文档",
    "请修改密码。用户名：张三",
    # code
    "token = get_token()",
    "token = self.token",
    "token = response.json()['token']",
    "token = tokens[0]",
    "token = next(tokens2)",
    "token = user2?.session",
    "token = ctx->token1",
    "password: str",
    "password: str = None",
    "password: Optional[str] = None",
    "password: string;",
    "password?: string",
    "token: Option<String>,",
    "secret: Vec<u8>",
    "key: [u8; 32]",
    "private_key: &[u8]",
    "token: Uint8Array",
    "token: Sha256Hash,",
    "password: varchar(255) NOT NULL",
    "api_key=None",
    "api_key=null, password=nil)",
    "connect(password=password, token=token)",
    "connect(password=args.password)",
    "connect(\n    password=passwd\n)",
    "connect(password=password1)",
    "connect(api_key=settings.api_key_v2)",
    'secret = os.environ["X"]',
    'SECRET_KEY = os.environ.get("SECRET_KEY")',
    "API_KEY = process.env.API_KEY",
    'password = input("...")',
    'password = getpass.getpass("Password: ")',
    "password = hashlib.sha256(data).hexdigest()",
    'if password == "":',
    "if token != expected_token:",
    "for token in tokens:",
    "max_tokens=4096",
    "MAX_TOKENS=4096",
    "tokens: 1500",
    "token: 1500",
    '{"input_tokens": 1234567, "output_tokens": 89}',
    "token_count=123456789",
    "TOKEN_LIMIT=200000",
    'token_type="Bearer2Something"',
    'tokenUrl: "https://x.io/oauth2/token"',
    "PASSWORD_MIN_LENGTH=12",
    "password_file=/run/secrets/db1_password",
    "secretName: my-app-v2-secret",
    "passwordResetExpires: 1h30m00s",
    "token = 'identifier'",
    '{"token": "keyword.control.js"}',
    '{"type": "password", "name": "pw1"}',
    '<input type="password" name="password" autocomplete="current-password">',
    '<label for="password">Password</label>',
    '"password": "Password"',
    '"password": "Passwort vergessen?"',
    '"password": "contraseña"',
    "'password' => 'required|string|min:8|confirmed',",
    '{"password": "string", "token": "string"}',
    '{"password": true, "secret": null, "token": {}}',
    'fetch(url, {credentials: "include"})',
    'fetch(url, {credentials: "same-origin"})',
    "return password, token",
    "WHERE password = :password AND token = $1",
    "password = ?",
    're.compile(r"password=(\\S+)")',
    'grep -E "token=[^&]+" log',
    "class Token(Base): pass",
    "enum Token { Ident1, Ident2 }",
    "TOKEN_IF = 258",
    "--token-color: #ff00aa;",
    "pad_token: '<pad>'",
    "cache_key=user1234abcd5678, primary_key=True",
    "public_key: abcd1234efgh5678",
    'if line.startswith("-----BEGIN PRIVATE KEY-----"):',
    '"-----BEGIN PRIVATE KEY-----" in text and text.endswith("-----END PRIVATE KEY-----")',
    "-----BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----",
    "-----BEGIN CERTIFICATE-----\n" + B64 + "\n-----END CERTIFICATE-----",
    "-----BEGIN PUBLIC KEY-----\n" + B64 + "\n-----END PUBLIC KEY-----",
    # variables and gaps to fill in
    "$TOKEN",
    "TOKEN=$TOKEN",
    "TOKEN=${TOKEN:-none}",
    "TOKEN=$(gh auth token)",
    "set PASSWORD=%DB_PASSWORD%",
    "Authorization: Bearer $TOKEN",
    "Authorization: Bearer <your-token>",
    "Authorization: Bearer ${token}",
    "token: ${{ secrets.X }}",
    "GITHUB_TOKEN: ${{ secrets.GITHUB_TOKEN }}",
    "<your-token>",
    "API_KEY=<your-api-key>",
    "API_KEY=your-api-key-1",
    "api_key: YOUR_API_KEY",
    "API_KEY=xxxxxxxxxxxx",
    "PASSWORD=********",
    "PASSWORD=",
    'PASSWORD=""',
    "password: {{ vault_db_password1 }}",
    'password = f"{user}{n1}"',
    "password=%s",
    "password: !Ref DbPassword1",
    "SECRET=changeme",
    'url = "?password=" + password + "&x=1"',
    'DB_URL = "DB_PASSWORD=" + db_password',
    'password="Enter your password"',
    "PASSWORD=$env:DB_PW1",
    "f('password='+pw1234+'&x=1')",
    "deploy --password --x9y8z7w6",
    'api_key: "...a1B2c3D4"',
    'token: "https://x.io/a1B2c3D4"',
    "token: HTTP2_ERROR_CODE1",
    'private_key = "C:\\keys\\a1b2c3d4.pem"',
    "DB_PASSWORD=password",
    'CHANGE_PASSWORD = "CHANGE_PASSWORD"',
    "f(arn=arn, passphrase=passphrase)",
    "f(a, passphrase=passphrase",
    'publicKeyToken="1fc8b3b9a1e18e3b"',
    "arn:aws:secretsmanager:us-west-2:123456789012:secret:MySecret-a1b2c3",
    'password = "%s:%s" % (a, b)',
    'password = ":****"',
    'proxy_password=options["password"]',
    "password=SecretBytes(b'**********')",
    "{name: PASSWORD, value: $X}",
    "TOKEN=...",
    "https://<user>:<password>@host/",
    "https://$USER:$PASS@host/",
    "https://{user}:{password}@host/",
    "curl -u $USER:$PASS https://x.io",
    "curl --user-agent Mozilla:5 https://x.io",
    "mysql -u root -p shop",
    "mysql -u root -p$PASS shop",
    "secret: arn:aws:secretsmanager:eu-west-1:123456789012:secret:db1",
    "password: op://vault/item1/password",
    # numbers, sums, addresses, paths
    "commit 9f3a7c01b2d4e5869f3a7c01b2d4e5869f3a7c01",
    "123e4567-e89b-12d3-a456-426614174000",
    "sha256:" + HEX * 4,
    HEX * 4 + "  file.tar.gz",
    '"integrity": "sha512-' + MIX * 5 + '=="',
    "data:image/png;base64,iVBORw0KGgo" + MIX * 6 + "==",
    "https://example.com:8080/a/b?c=d#e",
    "http://localhost:3000, bob@example.com",
    "http://localhost:3000,bob@example.com",
    "http://[::1]:8080/@scope/name",
    "https://medium.com/@bob:news",
    "docker://alpine:3.18@sha256:" + HEX * 4,
    "docker run -u 1000:1000 alpine",
    "bob@host:path/to/file",
    "git@github.com:org/repo.git",
    "ssh://git@github.com:22/org/repo.git",
    "C:\\Users\\bob\\token\\secret1.txt",
    "PWD=/home/bob/work/a1b2c3d4",
    'OLDPWD="/tmp/x9y8z7w6"',
    "SSH_AUTH_SOCK=/tmp/ssh-a1b2c3d4/agent.1",
    "private_key: /etc/ssl/private/server1.key",
    "private_key = ~/.ssh/id_ed25519",
    "2024-01-01T12:00:00Z token refreshed in 12ms",
    "12345678:90",
    "deploy key SHA256:" + MIX * 2,
    "token 2024-01-01T12:00:00Z expired",
    "SSH_PUBLIC_KEY=ssh-ed25519 AAAA" + MIX,
    "scheme://[user:passwd@]proxy.server:port",
    "let tokenStart=0;for(let i=0;i<n1;i++)",
    "a:b:c:d, x=y, {k: v}",
    "eyJ is how a JSON web token starts, eyJ.eyJ.eyJ is none",
    "AKIA and ASIA start AWS ids",
    "ghp_ is a prefix, so is github_pat_ and sk-ant- and glpat-",
    "sk_live_ and sk_test_mode",
    "lone \ud800 surrogate password \udfff",
]

KEYS = "api access account app auth deploy encryption jwt license master private service shared"
for kind in (KEYS + " signing ssh storage webhook").split():
    SECRETS.append((kind + "_key = " + HEX, HEX, kind + "_key = " + MARK))
for kind in "str string bytes Optional[str] SecretStr".split():
    SECRETS.append(("pwd: " + kind + " = '" + WORD + "'", WORD, kind + " = '" + MARK + "'"))
for scheme in "Bearer Basic Token ApiKey Bot".split():
    SECRETS.append(("Authorization: " + scheme + " " + MIX, MIX, scheme + " " + MARK))
for value in (
    "none null nil true false undefined required optional invalid missing empty str string text"
    " hidden bytes bool boolean object number include omit int32 uint64 varchar2 sha256 base64"
    " argon2id pbkdf2 Uint8Array YOUR_PASSWORD example placeholder TODO changeme replace-me"
).split():
    ORDINARY += ["PASSWORD=" + value, 'secret: "' + value + '"']

# Repeated many times over, each of these would be slow for a careless pattern.
NASTY = (
    "a A_ - . : = ; ,& password password= password=$( password=' token=a. TOKEN= secret:".split()
)
NASTY += (
    "--token api_key password:str &token= <password> 密码 密码： 1:AA AB12 a1B2 -----BEGIN".split()
)
NASTY += (
    "eyJ eyJ. eyJ_ eyJaaaaaaaa. SG. SG.aaaa_ sk- xox :// ://a: ://:@ curl mysql [redacted]".split()
)
NASTY += [" ", "\n", "\0", "\\", '"', "'", 'password="', "password ", "a1 ", "AB12\t", "bearer "]
NASTY += ["curl -u ", "mysql ", "login a ", "password,\n", "password\\n", "password: str | a"]
NASTY += [BEGIN % "", BEGIN % "" + "\n", BEGIN % "" + "Abc: Abc: ", BEGIN % "" + "Abc: \n"]


class RedactTest(unittest.TestCase):
    def test_secrets_go_and_what_they_were_stays(self) -> None:
        for text, gone, kept in SECRETS:
            with self.subTest(ascii(text)):
                self.assertIn(gone, text)
                self.assertNotIn(gone, redact(text))
                self.assertIn(kept, redact(text))

    def test_ordinary_text_stays(self) -> None:
        self.assertGreater(len(ORDINARY), len(SECRETS))
        for text in ORDINARY:
            with self.subTest(ascii(text)):
                self.assertEqual(redact(text), text)

    def test_twice_is_once(self) -> None:
        for text in [text for text, _, _ in SECRETS] + ORDINARY:
            with self.subTest(ascii(text)):
                self.assertEqual(redact(redact(text)), redact(text))

    def test_in_the_middle_of_lines(self) -> None:
        for text, gone, kept in SECRETS:
            with self.subTest(ascii(text)):
                done = redact("Some lines first.\n\n" + text + "\n\nThen 3 more lines.\n")
                self.assertNotIn(gone, done)
                self.assertIn(kept, done)
                self.assertTrue(done.startswith("Some lines first.\n\n"), done)
                self.assertTrue(done.endswith("\n\nThen 3 more lines.\n"), done)

    def test_in_json(self) -> None:
        for text, gone, _ in SECRETS:
            for given in ({"content": text, "n": 1}, {"content": "a\n" + text + "\nb", "n": 1}):
                line = json.dumps(given, ensure_ascii=False)
                with self.subTest(ascii(line)):
                    done = json.loads(redact(line))
                    self.assertNotIn(gone, done["content"])
                    self.assertIn(MARK, done["content"])
                    self.assertEqual(done["n"], 1)

    def test_ordinary_text_stays_in_json(self) -> None:
        for text in ORDINARY:
            line = json.dumps({"content": text}, ensure_ascii=False)
            with self.subTest(ascii(line)):
                self.assertEqual(redact(line), line)

    def test_text_around_a_secret_survives(self) -> None:
        chance = random.Random(7)
        secrets = [(text, gone) for text, gone, _ in SECRETS if "BEGIN" not in text]
        quiet = [text for text in ORDINARY if "BEGIN" not in text and "curl" not in text]
        for _ in range(500):
            before, after = chance.choices(quiet, k=3), chance.choices(quiet, k=3)
            text, gone = chance.choice(secrets)
            with self.subTest(ascii(text)):
                done = redact("\n".join([*before, text, *after]))
                self.assertTrue(done.startswith("\n".join(before) + "\n"), done)
                self.assertTrue(done.endswith("\n" + "\n".join(after)), done)
                self.assertNotIn(
                    gone, done[len("\n".join(before)) : -len("\n".join(after)) or None]
                )

    def test_any_text_is_taken_and_twice_is_once(self) -> None:
        chance = random.Random(11)
        pieces = [piece for text, _, _ in SECRETS for piece in (text, text[:12], text[-9:])]
        pieces += [*ORDINARY, *NASTY, *NASTY, MARK, "\ud800", "’", "：", "Ⅷ²", "K"]
        for _ in range(3000):
            text = "".join(chance.choices(pieces, k=chance.randint(1, 6)))
            once = redact(text)
            self.assertEqual(redact(once), once, repr(text))

    def test_long_and_nasty_texts_end(self) -> None:
        for piece in NASTY:
            redact(piece * (150_000 // len(piece)))

    def test_a_long_secret_goes_whole(self) -> None:
        for text in ("TOKEN=%s", 'token: "%s"', "https://u:%s@h", "ghp" + "_%s", BEGIN % "" + "%s"):
            with self.subTest(ascii(text)):
                self.assertEqual(redact(text % (MIX * 9999)).count(MIX), 0)

    def test_text_without_a_trace_of_secrets_does_not_load_re(self) -> None:
        code = "import sys; sys.path.insert(0, %r); from hooklib.redact import redact; " % LIB
        code += "redact('nothing here'); print('re' in sys.modules)"
        done = subprocess.run([PYTHON, "-I", "-S", "-c", code], capture_output=True, timeout=60)
        self.assertEqual(done.stdout.strip(), b"False", done.stderr)
