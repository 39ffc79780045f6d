import type { MailTexts } from "../content.ts";

export const english: MailTexts = {
  footer: "You receive this e-mail because this address was entered at {host} or belongs to an account there.",
  mails: {
    register_code: {
      subject: "Your code to register at Aqua",
      paragraphs: [
        "Enter this code to confirm your e-mail address. It is valid for {minutes} minutes.",
        "Aqua never asks you for it. If you did not ask to register, ignore this e-mail.",
      ],
    },
    reset_code: {
      subject: "Your code for a new Aqua password",
      paragraphs: [
        "Enter this code to set a new password. It is valid for {minutes} minutes.",
        "Aqua never asks you for it. If you did not ask for it, ignore this e-mail: your password stays the same.",
      ],
    },
    account_exists: {
      subject: "You already have an Aqua account",
      paragraphs: [
        "Someone, perhaps you, tried to register with this e-mail address. It already has an account: log in instead.",
        "If you forgot the password, set a new one from the log-in page. If it was not you, ignore this e-mail.",
      ],
      action: "Log in",
    },
    password_changed: {
      subject: "Your Aqua password was changed",
      paragraphs: [
        "The password of your account was changed. All devices are logged out.",
        "If it was not you, set a new password at once and check who can read this mailbox.",
      ],
      action: "Set a new password",
    },
    wallet_linked: {
      subject: "A wallet was linked to your Aqua account",
      paragraphs: [
        "The wallet {address} was linked to your account. It can be used to log in.",
        "If it was not you, set a new password at once and check your account.",
      ],
      action: "Open my account",
    },
    wallet_switched: {
      subject: "Your Aqua account uses another wallet",
      paragraphs: [
        "Your account now uses the wallet {address}. It was switched from {former}, which can no longer be used to log in.",
        "The former wallet keeps its holdings and can still withdraw them. If it was not you, set a new password at once and check your account.",
      ],
      action: "Open my account",
    },
    wallet_unlinked: {
      subject: "A wallet was unlinked from your Aqua account",
      paragraphs: [
        "The wallet {address} was unlinked from your account. It can no longer be used to log in, and every other device was logged out.",
        "It keeps its holdings and can still withdraw them. If it was not you, set a new password now.",
      ],
      action: "Open my account",
    },
    confirm_code: {
      subject: "Your code to confirm a change at Aqua",
      paragraphs: [
        "Enter this code to confirm that it is you. It is valid for {minutes} minutes.",
        "Aqua never asks you for it by phone, chat or e-mail. If you did not request it, someone else is logged in to your account: set a new password now. That logs out every device.",
      ],
    },
    change_email_code: {
      subject: "Your code for a new e-mail address at Aqua",
      paragraphs: [
        "Enter this code to use this address for your account. It is valid for {minutes} minutes.",
        "If you did not request it, ignore this e-mail: nothing changes without the code.",
      ],
    },
    email_changed: {
      subject: "The e-mail address of your Aqua account was changed",
      paragraphs: [
        "Your account now uses {email}. This address no longer receives its e-mails, except about a switch of the wallet in the next 30 days.",
        "If you did not do this, contact the operator of {host} now.",
      ],
      action: "Contact the operator",
    },
    password_replaced: {
      subject: "Your Aqua password was changed",
      paragraphs: [
        "The password of your account was changed from a device that was logged in. Every other device was logged out.",
        "If you did not do this, set a new password now. That logs out that device too.",
      ],
      action: "Set a new password",
    },
    new_device: {
      subject: "New log-in to your Aqua account",
      paragraphs: [
        "Your account was logged in to from a new device on {time}: {device}, network {place}.",
        "If it was you, there is nothing to do. If it was not, log that device out and set a new password.",
      ],
      action: "Open my account",
    },
    password_entered: {
      subject: "Your Aqua password was entered on a new device",
      paragraphs: [
        "Your password was entered on {time} on a new device: {device}, network {place}. A second factor was then required.",
        "If it was not you, someone knows your password: set a new one now.",
      ],
      action: "Set a new password",
    },
    many_failures: {
      subject: "Failed attempts to log in to your Aqua account",
      paragraphs: [
        "{count} attempts within an hour failed to log in to your account or to confirm a change. The last one came from: {device}, network {place}.",
        "Your account is as safe as your password. A passkey or an authenticator app makes it safer.",
      ],
      action: "Open my account",
    },
    exported: {
      subject: "Your Aqua data was downloaded",
      paragraphs: [
        "All data of your account was downloaded just now.",
        "If it was not you, set a new password now. That logs out every device.",
      ],
      action: "Open my account",
    },
    factor_added: {
      subject: "A new way to confirm was added to your Aqua account",
      paragraphs: [
        "“{factor}” was added to your account. Logging in with the password now requires it or another second factor.",
        "If it was not you, remove it and set a new password now.",
      ],
      action: "Open my account",
    },
    factor_removed: {
      subject: "A way to confirm was removed from your Aqua account",
      paragraphs: [
        "“{factor}” was removed from your account.",
        "If it was not you, set a new password now and check what is left.",
      ],
      action: "Open my account",
    },
    recovery_codes_made: {
      subject: "New recovery codes for your Aqua account",
      paragraphs: [
        "New recovery codes were created. Earlier ones are no longer valid.",
        "If it was not you, set a new password now and check your account.",
      ],
      action: "Open my account",
    },
    recovery_code_used: {
      subject: "A recovery code of your Aqua account was used",
      paragraphs: [
        "A recovery code was used in place of the second factor. Codes left: {left}.",
        "If it was not you, create new codes and set a new password now.",
      ],
      action: "Open my account",
    },
    switch_waits: {
      subject: "Your Aqua account switches to another wallet: you can stop it",
      paragraphs: [
        "Your account now uses the wallet {address} instead of {former}. What {former} holds stays there.",
        "The blockchain records the new wallet on {time} at the earliest. Until then you can stop the switch with the link below, without logging in.",
        "If it was you, there is nothing to do. If it was not, stop the switch now and set a new password.",
      ],
      action: "Stop the switch",
    },
    switch_stopped: {
      subject: "The switch of your wallet was stopped",
      paragraphs: [
        "The switch from {former} to {address} was stopped. Your account uses {former} again, and every device was logged out.",
        "If you did not request the switch, someone could log in to your account: set a new password now.",
      ],
      action: "Set a new password",
    },
    identity_verified: {
      subject: "Your identity is verified",
      paragraphs: ["Your linked wallet is being recorded on the chain. After that you can deposit."],
      action: "Open my account",
    },
    identity_rejected: {
      subject: "Your identity could not be verified",
      paragraphs: [
        "We could not verify your identity with what you submitted. The reason: {reason}",
        "You can submit again. Your holdings are not affected.",
      ],
      action: "Submit again",
    },
    recovery_proposed: {
      subject: "The identity verifier proposed a recovery of your wallet",
      paragraphs: [
        "On {proposed}, the identity verifier proposed a recovery of your wallet {wallet}. The wallet {successor} is to replace it.",
        "From {from} until {until} anyone can execute it. {wallet} is then permanently closed, and everything it holds goes to {successor}.",
        "If you did not ask for this, connect {wallet} and press Veto. It is one transaction and costs only the network fee.",
      ],
      action: "Open Aqua",
    },
    recovery_pending: {
      subject: "You have not vetoed the recovery of your wallet",
      paragraphs: [
        "On {proposed}, the identity verifier proposed a recovery of your wallet {wallet}. You have not vetoed it. The wallet {successor} is to replace it.",
        "From {from} until {until} anyone can execute it. {wallet} is then permanently closed, and everything it holds goes to {successor}.",
        "If you did not ask for this, connect {wallet} and press Veto. It is one transaction and costs only the network fee.",
      ],
      action: "Open Aqua",
    },
    recovery_executed: {
      subject: "Your wallet was replaced by a recovery",
      paragraphs: [
        "On {time}, the recovery of your wallet {wallet} was executed. {wallet} is permanently closed, and everything it holds goes to {successor}.",
        "If you did not ask for this, contact the operator of {host} now.",
      ],
      action: "Open Transparency",
    },
    fee_change: {
      subject: "{product}: the performance fee changes to {fee}",
      paragraphs: ["The owner of {product} scheduled a new performance fee: {fee} instead of {formerFee}."],
      action: "Open the product",
    },
    custodian_change: {
      subject: "{product}: the custodian or the cash buffer changes",
      paragraphs: ["The owner of {product} scheduled a change of the custodian or the cash buffer."],
      action: "Open the product",
    },
    withdrawal_ready: {
      subject: "You can collect your withdrawal from {product}",
      paragraphs: ["{amount} from {product} are set aside for you. You can collect them with your wallet {wallet}."],
      action: "Collect",
    },
    deposit_matures: {
      subject: "Your time deposit matures on {date}",
      paragraphs: [
        "Your deposit receipt {receipt} in {product} matures on {maturity}. Principal: {principal}. Interest: {interest}.",
      ],
      action: "Open my portfolio",
    },
    deposit_maturity_day: {
      subject: "{date} is the maturity day of your time deposit",
      paragraphs: [
        "Maturity of your deposit receipt {receipt} in {product}: {maturity}. Principal: {principal}. Interest: {interest}.",
      ],
      action: "Open my portfolio",
    },
    identity_expires: {
      subject: "Your identity verification expires on {date}",
      paragraphs: [
        "After {date} your wallet cannot deposit until you are verified again. You can still withdraw.",
        "You can renew the verification now.",
      ],
      action: "Renew",
    },
    evidence_expires: {
      subject: "{product}: the supporting documents expire on {date}",
      paragraphs: [
        "The supporting documents of {product} expire on {date}. The operator has not renewed them yet.",
        "Once they have expired, the product accepts no deposits until they are renewed. You can still withdraw.",
      ],
      action: "Open the product",
    },
    income_digest: {
      subject: "Your income in {month}",
      paragraphs: ["What your deposits earned in {month}, and their value at its end:"],
      line: "{product}: {earned} earned, value {value}",
      action: "Open my portfolio",
    },
  },
  rejections: {
    document_unreadable: "The document cannot be read.",
    document_expired: "The document has expired.",
    document_not_accepted: "This kind of document is not accepted.",
    details_differ: "Name or date of birth differ from the document.",
    country_not_served: "Residents of this country cannot be accepted.",
  },
  factors: { passkey: "Passkey", totp: "Authenticator app" },
  unknownProgram: "unknown program",
  notes: {
    custodian_new: "Custodian: {custodian} instead of {formerCustodian}.",
    buffer_new: "Cash buffer: {buffer} instead of {formerBuffer}.",
    exit_by:
      "You could withdraw everything by {exit}; this can happen from {from}. The first date is an estimate: in the last 12 months, 90% of such withdrawals would have been paid by then.",
    exit_now: "You could withdraw everything at once; this can happen from {from}.",
    exit_no_estimate:
      "This can happen from {from}. There is no estimate for your withdrawal: the product’s history is too short, or brought in too little cash.",
    exit_restricted:
      "This can happen from {from}. There is no estimate for your withdrawal: one of your wallets has no record or is frozen.",
    withdrawal_part: "The rest of your request is still in the withdrawal queue.",
    roll_none:
      "Your maturity instruction: no roll-over. From maturity you can collect principal and interest with your wallet {wallet}.",
    roll_principal: "Your maturity instruction: roll over the principal. The interest is paid out.",
    roll_all: "Your maturity instruction: roll over principal and interest.",
    wallet_logs_in:
      "The wallet {wallet} can still log in to your account. If it is not yours, log in with the new password and unlink it on your account page.",
  },
  figures: "Figures of block {block} on {chain}, {read}.",
  unsubscribe: "Stop this kind of e-mail: {unsubscribe}",
  required: "This e-mail cannot be switched off: it is about who can reach your money, or on what terms.",
  settings: "All e-mails you receive: {settings}",
};
