import type { MailTexts } from "../content.ts";

export const simplifiedChinese: MailTexts = {
  footer: "您收到此邮件，是因为有人在 {host} 输入了这个地址，或该地址属于那里的一个账户。",
  mails: {
    register_code: {
      subject: "您的 Aqua 注册验证码",
      paragraphs: [
        "请输入此验证码以确认您的电子邮箱，{minutes} 分钟内有效。",
        "Aqua 的任何人都不会向您索要验证码。如果您并未注册，请忽略此邮件：没有验证码，什么都不会发生。",
      ],
    },
    reset_code: {
      subject: "您的 Aqua 密码重置验证码",
      paragraphs: [
        "请输入此验证码以设置新密码，{minutes} 分钟内有效。",
        "Aqua 的任何人都不会向您索要验证码。如果您没有申请重置密码，请忽略此邮件：您的密码保持不变。",
      ],
    },
    account_exists: {
      subject: "您已拥有 Aqua 账户",
      paragraphs: [
        "有人（也许是您）尝试用此电子邮箱注册。该邮箱已有账户，您只需登录即可。",
        "如果忘记了密码，可以在登录页面设置新密码。如果不是您本人操作，无需处理。",
      ],
      action: "登录",
    },
    password_changed: {
      subject: "您的 Aqua 密码已更改",
      paragraphs: [
        "您账户的密码刚刚被更改，所有设备均已退出登录。",
        "如果不是您本人操作，请立即设置新密码，并检查还有谁能查看此邮箱。",
      ],
      action: "设置新密码",
    },
    wallet_linked: {
      subject: "您的 Aqua 账户已绑定钱包",
      paragraphs: [
        "钱包 {address} 已绑定到您的账户，可用于登录。",
        "如果不是您本人操作，请立即设置新密码并检查您的账户。",
      ],
      action: "打开我的账户",
    },
    wallet_switched: {
      subject: "您的 Aqua 账户已更换钱包",
      paragraphs: [
        "您的账户现在使用钱包 {address}，原钱包 {former} 已不能再用于登录。",
        "原钱包持有的资产仍归其所有，仍可用它赎回。如果不是您本人操作，请立即设置新密码并检查您的账户。",
      ],
      action: "打开我的账户",
    },
    identity_verified: {
      subject: "您的身份已通过验证",
      paragraphs: ["您的身份验证已完成。您绑定的钱包正在登记上链，完成后即可存入。"],
      action: "打开我的账户",
    },
    identity_rejected: {
      subject: "您的身份未能通过验证",
      paragraphs: [
        "根据您提交的资料，我们无法验证您的身份。原因：{reason}",
        "您可以随时重新提交。您已持有的资产不受影响。",
      ],
      action: "重新提交",
    },
  },
  rejections: {
    document_unreadable: "证件无法辨认。",
    document_expired: "证件已过期。",
    document_not_accepted: "不接受此类证件。",
    details_differ: "姓名或出生日期与证件不符。",
    country_not_served: "无法接受该国家或地区的居民。",
  },
};
