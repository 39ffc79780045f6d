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
      subject: "A recovery of your wallet was proposed",
      paragraphs: [
        "On {proposed}, a recovery of your wallet {wallet} was proposed. The wallet {successor} is to replace it.",
        "From {from} until {until} anyone can execute it. {wallet} is then permanently closed, and everything it holds goes to {successor}.",
        "If you did not ask for this, connect {wallet} and press Veto. It is one transaction and costs only the network fee.",
      ],
      action: "Open Aqua",
    },
    recovery_pending: {
      subject: "The recovery of your wallet has not been vetoed",
      paragraphs: [
        "The recovery of your wallet {wallet}, proposed on {proposed}, has not been vetoed. The wallet {successor} is to replace it.",
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
      subject: "{product}: the fee on gains changes to {fee}",
      paragraphs: ["The owner of {product} scheduled a new fee on gains: {fee} instead of {formerFee}."],
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
  },
  figures: "Figures of block {block} on {chain}, {read}.",
  unsubscribe: "Stop this kind of e-mail: {unsubscribe}",
  required: "This e-mail cannot be switched off: it is about who can reach your money, or on what terms.",
  settings: "All e-mails you receive: {settings}",
};
