import type { MailTexts } from "../content.ts";

export const traditionalChinese: MailTexts = {
  footer: "您收到此郵件，是因為有人在 {host} 輸入了這個地址，或該地址屬於那裡的一個帳戶。",
  mails: {
    register_code: {
      subject: "您的 Aqua 註冊驗證碼",
      paragraphs: [
        "請輸入此驗證碼以確認您的電子郵件地址，{minutes} 分鐘內有效。",
        "Aqua 的任何人都不會向您索取驗證碼。如果您並未註冊，請忽略此郵件：沒有驗證碼，什麼都不會發生。",
      ],
    },
    reset_code: {
      subject: "您的 Aqua 密碼重設驗證碼",
      paragraphs: [
        "請輸入此驗證碼以設定新密碼，{minutes} 分鐘內有效。",
        "Aqua 的任何人都不會向您索取驗證碼。如果您沒有申請重設密碼，請忽略此郵件：您的密碼維持不變。",
      ],
    },
    account_exists: {
      subject: "您已擁有 Aqua 帳戶",
      paragraphs: [
        "有人（也許是您）嘗試以此電子郵件地址註冊。該地址已有帳戶，您只需登入即可。",
        "如果忘記了密碼，可以在登入頁面設定新密碼。如果不是您本人操作，無需處理。",
      ],
      action: "登入",
    },
    password_changed: {
      subject: "您的 Aqua 密碼已變更",
      paragraphs: [
        "您帳戶的密碼剛剛被變更，所有裝置均已登出。",
        "如果不是您本人操作，請立即設定新密碼，並檢查還有誰能查看此信箱。",
      ],
      action: "設定新密碼",
    },
    wallet_linked: {
      subject: "您的 Aqua 帳戶已綁定錢包",
      paragraphs: [
        "錢包 {address} 已綁定到您的帳戶，可用於登入。",
        "如果不是您本人操作，請立即設定新密碼並檢查您的帳戶。",
      ],
      action: "開啟我的帳戶",
    },
    wallet_switched: {
      subject: "您的 Aqua 帳戶已更換錢包",
      paragraphs: [
        "您的帳戶現在使用錢包 {address}，原錢包 {former} 已不能再用於登入。",
        "原錢包持有的資產仍歸其所有，仍可用它贖回。如果不是您本人操作，請立即設定新密碼並檢查您的帳戶。",
      ],
      action: "開啟我的帳戶",
    },
    identity_verified: {
      subject: "您的身分已通過驗證",
      paragraphs: ["您的身分驗證已完成。您綁定的錢包正在登錄上鏈，完成後即可存入。"],
      action: "開啟我的帳戶",
    },
    identity_rejected: {
      subject: "您的身分未能通過驗證",
      paragraphs: [
        "根據您提交的資料，我們無法驗證您的身分。原因：{reason}",
        "您可以隨時重新提交。您已持有的資產不受影響。",
      ],
      action: "重新提交",
    },
  },
  rejections: {
    document_unreadable: "證件無法辨識。",
    document_expired: "證件已過期。",
    document_not_accepted: "不接受此類證件。",
    details_differ: "姓名或出生日期與證件不符。",
    country_not_served: "無法接受該國家或地區的居民。",
  },
};
