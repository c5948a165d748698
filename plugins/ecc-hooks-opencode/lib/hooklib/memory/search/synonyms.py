"""Words of software that mean the same: each group is searched as its first word."""

from __future__ import annotations

_GROUPS = """
auth authenticate authentication authorize authorization; login signin logon; logout signout
email mail; database db; config configuration configure settings setting; kubernetes k8s
docs doc document documentation; repo repository; permission privilege perm allowed permit
delete remove erase; slow performance perf latency sluggish; crash die died; fail failure
directory folder dir; javascript js; typescript ts; environment env; variable var
parameter param argument arg args; function func fn; dependency dep
password passwd pwd passphrase; 2fa mfa totp otp authenticator; ci pipeline
image img picture photo; async asynchronous
sync synchronize synchronise synchronisation synchronization; memory ram oom; rollback revert
deploy release rollout deployment; schedule cron cronjob; task job; accessibility a11y
i18n translation translate localization localisation internationalization l10n locale
retry resend; duplicate twice double; hang hung freeze froze frozen stuck; send sent; run ran
write wrote written; find found; build built; keep kept; lose lost; pay paid; break broke broken
choose chose chosen; take took taken; grow grew grown; show shown display; throw threw thrown
hide hidden hid; forget forgot forgotten; begin began begun; child children; index indices indexes
reject refuse deny denied forbid forbidden; start launch boot; shutdown terminate sigterm
wrong incorrect; test spec; mock stub fake; secret credential; certificate cert; tls ssl
expire expiry expiration; mac macos osx darwin; postgres postgresql pg
arm arm64 aarch64 m1 m2 m3 silicon; node nodejs; message msg; command cmd; temporary temp tmp
application app; administrator admin; implementation implement impl; information info
prod production; maximum max; minimum min; number num; reference ref; request req; response resp
url uri; regex regexp; encoding charset unicode encode; timezone tz; datetime timestamp
modal dialog popup; css stylesheet styling; chart graph plot; excel xlsx xls spreadsheet
mobile phone smartphone; websocket ws; graphql gql; people person; query sql; bulk batch
personal pii; error exception; change modify alter edit; virus malware; library lib package
installation install setup; concurrency concurrent parallel
"""
# Two words that are one.
_PAIRS = {
    ("log", "in"): "login", ("logged", "in"): "login", ("logs", "in"): "login",
    ("sign", "in"): "login", ("signed", "in"): "login", ("log", "out"): "logout",
    ("sign", "out"): "logout", ("time", "out"): "timeout", ("timed", "out"): "timeout",
    ("times", "out"): "timeout", ("time", "zone"): "timezone", ("roll", "back"): "rollback",
    ("rolled", "back"): "rollback", ("shut", "down"): "shutdown",
    ("two", "factor"): "2fa", ("pull", "request"): "pr", ("pull", "requests"): "pr",
    ("front", "end"): "frontend", ("back", "end"): "backend", ("file", "name"): "filename",
    ("data", "base"): "database", ("web", "socket"): "websocket",
}  # fmt: skip
# Chinese, in simplified characters; a word that China and Taiwan write differently comes twice.
_CHINESE = """
database 数据库 资料库; cache 缓存 快取; deploy 部署 上线 发布; test 测试; login 登录 登入 登陆
logout 登出; password 密码; permission 权限; role 角色; user 用户 使用者; config 配置 设定 设置
environment 环境变量 环境变数; log 日志; error 错误 报错; fail 失败; timeout 超时 逾时; retry 重试
queue 队列 伫列; task 任务; index 索引; migration 迁移; backup 备份; api 接口; frontend 前端
backend 后端; component 组件 元件; page 页面; form 表单; chart 图表; report 报表; export 导出 汇出
import 导入 汇入; upload 上传; download 下载; file 文件 档案; docs 文档; email 邮件 信件
notification 通知; push 推送 推播; payment 支付 付款 金流; refund 退款; invoice 发票; tax 税
amount 金额; currency 货币 币别; timezone 时区; date 日期; font 字体 字型; encoding 编码 乱码
signature 签名 签章; validation 验证 校验; encryption 加密; certificate 证书 凭证; lock 锁
transaction 事务 交易; connection 连接 连线; pool 连接池 连线池; thread 线程 执行绪
memory 内存 记忆体; disk 磁盘 硬盘 硬碟; server 服务器 伺服器; client 客户端 用户端; customer 客户
tenant 租户; search 搜索 搜寻 查询; slow 性能 效能 很慢 太慢 变慢; duplicate 重复
dependency 依赖 相依; version 版本; branch 分支; commit 提交; merge 合并; review 评审 审查
variable 变量 变数; function 函数 函式; naming 命名; convention 规范 惯例; comment 注释 注解
i18n 翻译 国际化; sort 排序; pagination 分页; table 表格 资料表 数据表; field 字段 栏位
concurrency 并发 并行 平行; async 异步 非同步; sync 同步; restart 重启; start 启动; delete 删除
rollback 回滚 还原 回退; monitoring 监控; alert 告警 警报; container 容器; image 镜像 映像
browser 浏览器; button 按钮; mobile 手机; stock 库存; reminder 提醒 催款; attachment 附件
template 模板 范本; key 键
"""

EVERYDAY = (  # a memory that holds one of these need not be about it
    "able across actually add against allow already always answer anyone appear apply around ask"
    " automatically away back bad become begin behind believe belong better between big bit bring"
    " call chance change check clear close come complicated consider contain continue correct"
    " correctly create currently decide different difficult directly down during early easy eight"
    " end enough ever everyone exactly example exist explain fact false fast feel few find fine"
    " finish first five fix follow forget four full gave good great grow handle happen happy hard"
    " hate hear high hold hour hundred idea important impossible include inside keep kind large"
    " last lead learn least leave left less little live long look lose lot love low made make"
    " manually many mean mind minute morning move never new next nice night nine offer often okay"
    " old open option outside part piece place play point possible probably problem properly put"
    " question quick read ready reason receive recently remember right run said seem send set"
    " seven show side simple simply since single six small someone sometimes sort speak spend"
    " stand start stay stop stuff suddenly super take talk ten thousand three today tomorrow"
    " toward true try turn two understand upon use wait walk watch whole win within without"
    " wonder word work write wrong yes yesterday"
).split()


def _read(text: str) -> dict[str, str]:
    """Return the word to search for, keyed by its synonyms."""
    base_words: dict[str, str] = {}
    for group in text.replace("\n", ";").split(";"):
        words = group.split()
        for word in words[1:]:
            base_words.setdefault(word, words[0])
    return base_words


_ENGLISH = _read(_GROUPS)


def common(word: str) -> str:
    """Return the word that stands for a group of synonyms in searches."""
    return _ENGLISH.get(word, word)


def joined(first: str, second: str) -> str:
    """Return the word that two neighbouring words form, or ''."""
    return _PAIRS.get((first, second), "")


def english(text: str) -> list[str]:
    """Return the English words for the Chinese ones in a text in simplified characters."""
    return list(dict.fromkeys(word for term, word in _read(_CHINESE).items() if term in text))
