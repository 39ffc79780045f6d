import type { MailTexts } from "../content.ts";

export const traditionalChinese: MailTexts = {
  footer: "您收到此郵件，是因為有人在 {host} 輸入了這個地址，或該地址屬於那裡的一個帳戶。",
  mails: {
    register_code: {
      subject: "您的 Aqua 註冊驗證碼",
      paragraphs: [
        "請輸入此驗證碼以確認您的電子郵件地址，{minutes} 分鐘內有效。",
        "Aqua 絕不會向您索取驗證碼。如果您並未註冊，請忽略此郵件。",
      ],
    },
    reset_code: {
      subject: "您的 Aqua 密碼重設驗證碼",
      paragraphs: [
        "請輸入此驗證碼以設定新密碼，{minutes} 分鐘內有效。",
        "Aqua 絕不會向您索取驗證碼。如果您沒有申請重設密碼，請忽略此郵件：您的密碼維持不變。",
      ],
    },
    account_exists: {
      subject: "您已擁有 Aqua 帳戶",
      paragraphs: [
        "有人（也許是您）嘗試以此電子郵件地址註冊。該地址已有帳戶，您只需登入即可。",
        "如果忘記了密碼，可以在登入頁面設定新密碼。如果不是您本人操作，請忽略此郵件。",
      ],
      action: "登入",
    },
    password_changed: {
      subject: "您的 Aqua 密碼已變更",
      paragraphs: [
        "您帳戶的密碼已變更，所有裝置均已登出。",
        "如果不是您本人操作，請立即設定新密碼，並檢查還有誰能查看此信箱。",
      ],
      action: "設定新密碼",
    },
    wallet_linked: {
      subject: "您的 Aqua 帳戶已連結錢包",
      paragraphs: [
        "錢包 {address} 已連結到您的帳戶，可用於登入。",
        "如果不是您本人操作，請立即設定新密碼並檢查您的帳戶。",
      ],
      action: "開啟我的帳戶",
    },
    wallet_switched: {
      subject: "您的 Aqua 帳戶已更換錢包",
      paragraphs: [
        "您的帳戶現在使用錢包 {address}，原錢包 {former} 已不能再用於登入。",
        "原錢包的持有資產不變，仍可用它贖回。如果不是您本人操作，請立即設定新密碼並檢查您的帳戶。",
      ],
      action: "開啟我的帳戶",
    },
    wallet_unlinked: {
      subject: "一個錢包已與您的 Aqua 帳戶解除連結",
      paragraphs: [
        "錢包 {address} 已與您的帳戶解除連結。它不能再用於登入，其他所有裝置均已登出。",
        "該錢包保留其持有的資產，仍可贖回。如果不是您本人操作，請立即設定新密碼。",
      ],
      action: "開啟我的帳戶",
    },
    confirm_code: {
      subject: "您的 Aqua 操作確認驗證碼",
      paragraphs: [
        "請輸入此驗證碼，確認是您本人操作。有效時間 {minutes} 分鐘。",
        "Aqua 不會以電話、聊天或電子郵件向您索取驗證碼。若非您申請，表示有人登入了您的帳戶：請立即設定新密碼，所有裝置都會登出。",
      ],
    },
    change_email_code: {
      subject: "您的 Aqua 新電子郵件驗證碼",
      paragraphs: [
        "請輸入此驗證碼，即可將此地址用於您的帳戶。有效時間 {minutes} 分鐘。",
        "若非您申請，請忽略這封郵件：沒有驗證碼，不會有任何變更。",
      ],
    },
    email_changed: {
      subject: "您的 Aqua 帳戶電子郵件已變更",
      paragraphs: [
        "您的帳戶現在使用 {email}。此地址不再收到帳戶郵件，但未來 30 天內更換錢包的通知除外。",
        "若非您操作，請立即聯絡 {host} 的營運方。",
      ],
      action: "聯絡營運方",
    },
    password_replaced: {
      subject: "您的 Aqua 帳戶密碼已變更",
      paragraphs: [
        "您的帳戶密碼已在一部已登入的裝置上變更，其他裝置均已登出。",
        "若非您操作，請立即設定新密碼，該裝置也會登出。",
      ],
      action: "設定新密碼",
    },
    new_device: {
      subject: "您的 Aqua 帳戶有新的登入",
      paragraphs: [
        "{time}，一部新裝置登入了您的帳戶：{device}，網路 {place}。",
        "若是您本人，無需處理。若不是，請將該裝置登出並設定新密碼。",
      ],
      action: "開啟我的帳戶",
    },
    password_entered: {
      subject: "有人在新裝置上輸入了您的 Aqua 密碼",
      paragraphs: [
        "{time}，一部新裝置上輸入了您的密碼：{device}，網路 {place}。系統隨後要求第二驗證方式。",
        "若不是您本人，表示有人知道您的密碼：請立即設定新密碼。",
      ],
      action: "設定新密碼",
    },
    many_failures: {
      subject: "您的 Aqua 帳戶多次登入失敗",
      paragraphs: [
        "一小時內有 {count} 次登入或確認操作失敗。最近一次來自：{device}，網路 {place}。",
        "帳戶的安全取決於密碼。通行密鑰或驗證器應用程式能讓帳戶更安全。",
      ],
      action: "開啟我的帳戶",
    },
    exported: {
      subject: "您的 Aqua 資料已被下載",
      paragraphs: ["您帳戶的全部資料剛剛被下載。", "若非您操作，請立即設定新密碼，所有裝置都會登出。"],
      action: "開啟我的帳戶",
    },
    factor_added: {
      subject: "您的 Aqua 帳戶新增了一種驗證方式",
      paragraphs: [
        "「{factor}」已加入您的帳戶。之後以密碼登入時，需要它或另一種第二驗證方式。",
        "若非您操作，請立即將其移除並設定新密碼。",
      ],
      action: "開啟我的帳戶",
    },
    factor_removed: {
      subject: "您的 Aqua 帳戶移除了一種驗證方式",
      paragraphs: ["「{factor}」已從您的帳戶移除。", "若非您操作，請立即設定新密碼，並檢查剩餘的驗證方式。"],
      action: "開啟我的帳戶",
    },
    recovery_codes_made: {
      subject: "您的 Aqua 帳戶有新的復原碼",
      paragraphs: ["新的復原碼已產生，先前的復原碼不再有效。", "若非您操作，請立即設定新密碼並檢查您的帳戶。"],
      action: "開啟我的帳戶",
    },
    recovery_code_used: {
      subject: "您的 Aqua 帳戶使用了一組復原碼",
      paragraphs: [
        "有人以復原碼代替了第二驗證方式。剩餘復原碼：{left} 組。",
        "若不是您本人，請立即產生新的復原碼並設定新密碼。",
      ],
      action: "開啟我的帳戶",
    },
    switch_waits: {
      subject: "您的 Aqua 帳戶正在更換錢包：您可以阻止",
      paragraphs: [
        "您的帳戶現在使用錢包 {address}，代替 {former}。{former} 中的資產仍留在原處。",
        "區塊鏈最早於 {time} 記錄新錢包。在此之前，您可以透過下方連結阻止更換，無需登入。",
        "若是您本人，無需處理。若不是，請立即阻止更換並設定新密碼。",
      ],
      action: "阻止更換",
    },
    switch_stopped: {
      subject: "更換錢包的操作已被阻止",
      paragraphs: [
        "從 {former} 更換為 {address} 的操作已被阻止。您的帳戶重新使用 {former}，所有裝置均已登出。",
        "若更換不是您申請的，表示有人能登入您的帳戶：請立即設定新密碼。",
      ],
      action: "設定新密碼",
    },
    identity_verified: {
      subject: "您的身分已通過驗證",
      paragraphs: ["您連結的錢包正在登錄上鏈，完成後即可存入。"],
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
    recovery_proposed: {
      subject: "身分驗證方提議復原您的錢包",
      paragraphs: [
        "{proposed}，身分驗證方提議復原您的錢包 {wallet}，由 {successor} 取代它。",
        "從 {from} 到 {until}，任何人都可以執行。屆時 {wallet} 將永久關閉，其持有的一切轉到 {successor}。",
        "如果不是您提出的，請連接 {wallet} 並按下「否決」。只需一筆交易，僅收取網路手續費。",
      ],
      action: "開啟 Aqua",
    },
    recovery_pending: {
      subject: "您尚未否決復原錢包的提議",
      paragraphs: [
        "{proposed}，身分驗證方提議復原您的錢包，您尚未否決。錢包 {wallet} 將由 {successor} 取代。",
        "從 {from} 到 {until}，任何人都可以執行。屆時 {wallet} 將永久關閉，其持有的一切轉到 {successor}。",
        "如果不是您提出的，請連接 {wallet} 並按下「否決」。只需一筆交易，僅收取網路手續費。",
      ],
      action: "開啟 Aqua",
    },
    recovery_executed: {
      subject: "您的錢包復原已執行",
      paragraphs: [
        "{time}，錢包 {wallet} 的復原已執行。{wallet} 已永久關閉，其持有的一切轉到 {successor}。",
        "如果不是您提出的，請立即聯絡 {host} 的營運方。",
      ],
      action: "查看鏈上操作",
    },
    fee_change: {
      subject: "{product}：績效費將改為 {fee}",
      paragraphs: ["{product} 的所有者已預告新的績效費：由 {formerFee} 改為 {fee}。"],
      action: "開啟商品",
    },
    custodian_change: {
      subject: "{product}：保管機構或緩衝資金將變更",
      paragraphs: ["{product} 的所有者已預告變更保管機構或緩衝資金。"],
      action: "開啟商品",
    },
    withdrawal_ready: {
      subject: "您從 {product} 贖回的資金可以領取",
      paragraphs: ["{product} 已為您預留 {amount}。請用錢包 {wallet} 領取。"],
      action: "領取",
    },
    deposit_matures: {
      subject: "您的定期存款將於 {date} 到期",
      paragraphs: ["您在 {product} 的存單 {receipt} 將於 {maturity} 到期。本金：{principal}。利息：{interest}。"],
      action: "開啟投資組合",
    },
    deposit_maturity_day: {
      subject: "{date} 是您的定期存款到期日",
      paragraphs: ["您在 {product} 的存單 {receipt} 到期時間：{maturity}。本金：{principal}。利息：{interest}。"],
      action: "開啟投資組合",
    },
    identity_expires: {
      subject: "您的身分驗證將於 {date} 過期",
      paragraphs: ["{date} 之後，在重新通過驗證前，您的錢包不能存入。贖回不受影響。", "現在即可更新驗證。"],
      action: "更新驗證",
    },
    evidence_expires: {
      subject: "{product}：證明文件將於 {date} 過期",
      paragraphs: [
        "{product} 的證明文件將於 {date} 過期，營運方尚未更新。",
        "過期後，在文件更新前，該商品不接受存入。贖回不受影響。",
      ],
      action: "開啟商品",
    },
    income_digest: {
      subject: "您在 {month}的收益",
      paragraphs: ["您的存款在 {month}的收益，以及月底價值："],
      line: "{product}：收益 {earned}，價值 {value}",
      action: "開啟投資組合",
    },
  },
  rejections: {
    document_unreadable: "證件無法辨識。",
    document_expired: "證件已過期。",
    document_not_accepted: "不接受此類證件。",
    details_differ: "姓名或出生日期與證件不符。",
    country_not_served: "無法接受該國家或地區的居民。",
  },
  factors: { passkey: "通行密鑰", totp: "驗證器應用程式" },
  unknownProgram: "未知程式",
  notes: {
    custodian_new: "保管機構：由 {formerCustodian} 改為 {custodian}。",
    buffer_new: "緩衝資金：由 {formerBuffer} 改為 {buffer}。",
    exit_by:
      "預計您可在 {exit} 前全部贖回；此變更最早於 {from} 生效。前一個日期是估算：過去 12 個月中，90% 的同類贖回本可在此時間內支付。",
    exit_now: "您現在即可全部贖回；此變更最早於 {from} 生效。",
    exit_no_estimate: "此變更最早於 {from} 生效。您何時可以全部贖回尚不可知：該商品的歷史太短，或流入的資金太少。",
    exit_restricted: "此變更最早於 {from} 生效。您何時可以全部贖回尚不可知：您的一個錢包沒有登記或已被凍結。",
    withdrawal_part: "贖回申請的其餘部分仍在贖回佇列中。",
    roll_none: "到期指示：不續存。到期後可用錢包 {wallet} 領取本金和利息。",
    roll_principal: "到期指示：本金續存，利息支付給您。",
    roll_all: "到期指示：本金和利息一併續存。",
    wallet_logs_in: "錢包 {wallet} 仍可登入您的帳戶。如果它不是您的，請用新密碼登入，並在帳戶頁面解除連結。",
  },
  figures: "數字截至 {chain} 區塊 {block}，{read}。",
  unsubscribe: "不再接收此類郵件：{unsubscribe}",
  required: "此郵件無法關閉：它關係到誰能動用您的資金，或以什麼條件動用。",
  settings: "您接收的所有郵件：{settings}",
};
