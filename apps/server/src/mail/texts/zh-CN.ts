import type { MailTexts } from "../content.ts";

export const simplifiedChinese: MailTexts = {
  footer: "你收到此邮件，是因为有人在 {host} 输入了这个地址，或该地址属于那里的一个账户。",
  mails: {
    register_code: {
      subject: "你的 Aqua 注册验证码",
      paragraphs: [
        "请输入此验证码以确认你的电子邮箱，{minutes} 分钟内有效。",
        "Aqua 绝不会向你索要验证码。如果你并未注册，请忽略此邮件。",
      ],
    },
    reset_code: {
      subject: "你的 Aqua 密码重置验证码",
      paragraphs: [
        "请输入此验证码以设置新密码，{minutes} 分钟内有效。",
        "Aqua 绝不会向你索要验证码。如果你没有申请重置密码，请忽略此邮件：你的密码保持不变。",
      ],
    },
    account_exists: {
      subject: "你已拥有 Aqua 账户",
      paragraphs: [
        "有人（也许是你）尝试用此电子邮箱注册。该邮箱已有账户，你只需登录即可。",
        "如果忘记了密码，可以在登录页面设置新密码。如果不是你本人操作，请忽略此邮件。",
      ],
      action: "登录",
    },
    password_changed: {
      subject: "你的 Aqua 密码已更改",
      paragraphs: [
        "你账户的密码已更改，所有设备均已退出登录。",
        "如果不是你本人操作，请立即设置新密码，并检查还有谁能查看此邮箱。",
      ],
      action: "设置新密码",
    },
    wallet_linked: {
      subject: "你的 Aqua 账户已关联钱包",
      paragraphs: [
        "钱包 {address} 已关联到你的账户，可用于登录。",
        "如果不是你本人操作，请立即设置新密码并检查你的账户。",
      ],
      action: "打开我的账户",
    },
    wallet_switched: {
      subject: "你的 Aqua 账户已更换钱包",
      paragraphs: [
        "你的账户现在使用钱包 {address}，原钱包 {former} 已不能再用于登录。",
        "原钱包的持仓不变，仍可用它赎回。如果不是你本人操作，请立即设置新密码并检查你的账户。",
      ],
      action: "打开我的账户",
    },
    wallet_unlinked: {
      subject: "一个钱包已与你的 Aqua 账户解除关联",
      paragraphs: [
        "钱包 {address} 已与你的账户解除关联。它不能再用于登录，其他所有设备均已退出登录。",
        "该钱包保留其持有的资产，仍可赎回。如果不是你本人操作，请立即设置新密码。",
      ],
      action: "打开我的账户",
    },
    confirm_code: {
      subject: "你的 Aqua 操作确认验证码",
      paragraphs: [
        "输入此验证码以确认是你本人操作。有效期 {minutes} 分钟。",
        "Aqua 不会通过电话、聊天或电子邮件向你索要验证码。如果不是你申请的，说明有人登录了你的账户：请立即设置新密码，所有设备都会退出登录。",
      ],
    },
    change_email_code: {
      subject: "你的 Aqua 新邮箱验证码",
      paragraphs: [
        "输入此验证码，即可将此邮箱用于你的账户。有效期 {minutes} 分钟。",
        "如果不是你申请的，请忽略这封邮件：没有验证码，不会有任何更改。",
      ],
    },
    email_changed: {
      subject: "你的 Aqua 账户邮箱已更改",
      paragraphs: [
        "你的账户现在使用 {email}。此邮箱不再接收账户邮件，但今后 30 天内更换钱包的通知除外。",
        "如果不是你操作的，请立即联系 {host} 的运营方。",
      ],
      action: "联系运营方",
    },
    password_replaced: {
      subject: "你的 Aqua 账户密码已更改",
      paragraphs: [
        "你的账户密码已在一台已登录的设备上更改，其他设备均已退出登录。",
        "如果不是你操作的，请立即设置新密码，该设备也会退出登录。",
      ],
      action: "设置新密码",
    },
    new_device: {
      subject: "你的 Aqua 账户有新的登录",
      paragraphs: [
        "{time}，一台新设备登录了你的账户：{device}，网络 {place}。",
        "如果是你本人，无需处理。如果不是，请让该设备退出登录并设置新密码。",
      ],
      action: "打开我的账户",
    },
    password_entered: {
      subject: "有人在新设备上输入了你的 Aqua 密码",
      paragraphs: [
        "{time}，一台新设备上输入了你的密码：{device}，网络 {place}。系统随后要求第二验证方式。",
        "如果不是你本人，说明有人知道你的密码：请立即设置新密码。",
      ],
      action: "设置新密码",
    },
    many_failures: {
      subject: "你的 Aqua 账户多次登录失败",
      paragraphs: [
        "一小时内有 {count} 次登录或确认操作失败。最近一次来自：{device}，网络 {place}。",
        "账户的安全取决于密码。通行密钥或验证器应用能让账户更安全。",
      ],
      action: "打开我的账户",
    },
    exported: {
      subject: "你的 Aqua 数据已被下载",
      paragraphs: ["你账户的全部数据刚刚被下载。", "如果不是你操作的，请立即设置新密码，所有设备都会退出登录。"],
      action: "打开我的账户",
    },
    factor_added: {
      subject: "你的 Aqua 账户新增了一种验证方式",
      paragraphs: [
        "“{factor}”已添加到你的账户。今后用密码登录时，需要它或另一种第二验证方式。",
        "如果不是你操作的，请立即将其移除并设置新密码。",
      ],
      action: "打开我的账户",
    },
    factor_removed: {
      subject: "你的 Aqua 账户移除了一种验证方式",
      paragraphs: ["“{factor}”已从你的账户移除。", "如果不是你操作的，请立即设置新密码，并检查剩余的验证方式。"],
      action: "打开我的账户",
    },
    recovery_codes_made: {
      subject: "你的 Aqua 账户有新的恢复码",
      paragraphs: ["新的恢复码已生成，之前的恢复码不再有效。", "如果不是你操作的，请立即设置新密码并检查你的账户。"],
      action: "打开我的账户",
    },
    recovery_code_used: {
      subject: "你的 Aqua 账户使用了一个恢复码",
      paragraphs: [
        "有人用恢复码代替了第二验证方式。剩余恢复码：{left} 个。",
        "如果不是你本人，请立即生成新的恢复码并设置新密码。",
      ],
      action: "打开我的账户",
    },
    switch_waits: {
      subject: "你的 Aqua 账户正在更换钱包：你可以阻止",
      paragraphs: [
        "你的账户现在使用钱包 {address}，代替 {former}。{former} 中的资产仍留在原处。",
        "区块链最早于 {time} 记录新钱包。在此之前，你可以通过下面的链接阻止更换，无需登录。",
        "如果是你本人，无需处理。如果不是，请立即阻止更换并设置新密码。",
      ],
      action: "阻止更换",
    },
    switch_stopped: {
      subject: "更换钱包的操作已被阻止",
      paragraphs: [
        "从 {former} 更换为 {address} 的操作已被阻止。你的账户重新使用 {former}，所有设备均已退出登录。",
        "如果更换不是你申请的，说明有人能登录你的账户：请立即设置新密码。",
      ],
      action: "设置新密码",
    },
    identity_verified: {
      subject: "你的身份已通过认证",
      paragraphs: ["你关联的钱包正在登记上链，完成后即可存入。"],
      action: "打开我的账户",
    },
    identity_rejected: {
      subject: "你的身份未能通过认证",
      paragraphs: [
        "根据你提交的资料，我们无法认证你的身份。原因：{reason}",
        "你可以随时重新提交。你已持有的资产不受影响。",
      ],
      action: "重新提交",
    },
    recovery_proposed: {
      subject: "身份认证方提议恢复你的钱包",
      paragraphs: [
        "{proposed}，身份认证方提议恢复你的钱包 {wallet}，由 {successor} 取代它。",
        "从 {from} 到 {until}，任何人都可以执行。届时 {wallet} 将永久关闭，其持有的一切转到 {successor}。",
        "如果不是你提出的，请连接 {wallet} 并点击“否决”。只需一笔交易，仅收取网络手续费。",
      ],
      action: "打开 Aqua",
    },
    recovery_pending: {
      subject: "你尚未否决恢复钱包的提议",
      paragraphs: [
        "{proposed}，身份认证方提议恢复你的钱包，你尚未否决。钱包 {wallet} 将由 {successor} 取代。",
        "从 {from} 到 {until}，任何人都可以执行。届时 {wallet} 将永久关闭，其持有的一切转到 {successor}。",
        "如果不是你提出的，请连接 {wallet} 并点击“否决”。只需一笔交易，仅收取网络手续费。",
      ],
      action: "打开 Aqua",
    },
    recovery_executed: {
      subject: "你的钱包恢复已执行",
      paragraphs: [
        "{time}，钱包 {wallet} 的恢复已执行。{wallet} 已永久关闭，其持有的一切转到 {successor}。",
        "如果不是你提出的，请立即联系 {host} 的运营方。",
      ],
      action: "查看链上操作",
    },
    fee_change: {
      subject: "{product}：业绩费将改为 {fee}",
      paragraphs: ["{product} 的所有者已预告新的业绩费：由 {formerFee} 改为 {fee}。"],
      action: "打开产品",
    },
    custodian_change: {
      subject: "{product}：托管方或缓冲资金将变更",
      paragraphs: ["{product} 的所有者已预告变更托管方或缓冲资金。"],
      action: "打开产品",
    },
    withdrawal_ready: {
      subject: "你从 {product} 赎回的资金可以领取",
      paragraphs: ["{product} 已为你预留 {amount}。请用钱包 {wallet} 领取。"],
      action: "领取",
    },
    deposit_matures: {
      subject: "你的定期存款将于 {date} 到期",
      paragraphs: ["你在 {product} 的存单 {receipt} 将于 {maturity} 到期。本金：{principal}。利息：{interest}。"],
      action: "打开投资组合",
    },
    deposit_maturity_day: {
      subject: "{date} 是你的定期存款到期日",
      paragraphs: ["你在 {product} 的存单 {receipt} 到期时间：{maturity}。本金：{principal}。利息：{interest}。"],
      action: "打开投资组合",
    },
    identity_expires: {
      subject: "你的身份认证将于 {date} 过期",
      paragraphs: ["{date} 之后，在重新通过认证前，你的钱包不能存入。赎回不受影响。", "现在即可续期。"],
      action: "续期",
    },
    evidence_expires: {
      subject: "{product}：证明文件将于 {date} 过期",
      paragraphs: [
        "{product} 的证明文件将于 {date} 过期，运营方尚未更新。",
        "过期后，在文件更新前，该产品不接受存入。赎回不受影响。",
      ],
      action: "打开产品",
    },
    income_digest: {
      subject: "你在 {month}的收益",
      paragraphs: ["你的存款在 {month}的收益，以及月末价值："],
      line: "{product}：收益 {earned}，价值 {value}",
      action: "打开投资组合",
    },
  },
  rejections: {
    document_unreadable: "证件无法辨认。",
    document_expired: "证件已过期。",
    document_not_accepted: "不接受此类证件。",
    details_differ: "姓名或出生日期与证件不符。",
    country_not_served: "无法接受该国家或地区的居民。",
  },
  factors: { passkey: "通行密钥", totp: "验证器应用" },
  unknownProgram: "未知程序",
  notes: {
    custodian_new: "托管方：由 {formerCustodian} 改为 {custodian}。",
    buffer_new: "缓冲资金：由 {formerBuffer} 改为 {buffer}。",
    exit_by:
      "预计你可在 {exit} 前全部赎回；此变更最早于 {from} 生效。前一个日期是估算：过去 12 个月中，90% 的同类赎回本可在此时间内支付。",
    exit_now: "你现在即可全部赎回；此变更最早于 {from} 生效。",
    exit_no_estimate: "此变更最早于 {from} 生效。你何时可以全部赎回尚不可知：该产品的历史太短，或流入的资金太少。",
    exit_restricted: "此变更最早于 {from} 生效。你何时可以全部赎回尚不可知：你的一个钱包没有登记或已被冻结。",
    withdrawal_part: "赎回申请的其余部分仍在赎回队列中。",
    roll_none: "到期安排：不续存。到期后可用钱包 {wallet} 领取本金和利息。",
    roll_principal: "到期安排：本金续存，利息支付给你。",
    roll_all: "到期安排：本金和利息一并续存。",
    wallet_logs_in: "钱包 {wallet} 仍可登录你的账户。如果它不是你的，请用新密码登录，并在账户页面解除关联。",
  },
  figures: "数据截至 {chain} 区块 {block}，{read}。",
  unsubscribe: "不再接收此类邮件：{unsubscribe}",
  required: "此邮件无法关闭：它关系到谁能动用你的资金，或以什么条件动用。",
  settings: "你接收的所有邮件：{settings}",
};
