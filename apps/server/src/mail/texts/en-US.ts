import type { MailTexts } from "../content.ts";

export const english: MailTexts = {
  footer: "You receive this mail because this address was entered at {host}, or belongs to an account there.",
  mails: {
    register_code: {
      subject: "Your code to register at Aqua",
      paragraphs: [
        "Enter this code to confirm your e-mail address. It counts for {minutes} minutes.",
        "Nobody from Aqua will ever ask you for it. If you did not want to register, ignore this mail: nothing happens without the code.",
      ],
    },
    reset_code: {
      subject: "Your code for a new Aqua password",
      paragraphs: [
        "Enter this code to set a new password. It counts for {minutes} minutes.",
        "Nobody from Aqua will ever ask you for it. If you did not ask for a new password, ignore this mail: your password stays as it is.",
      ],
    },
    account_exists: {
      subject: "You already have an Aqua account",
      paragraphs: [
        "Someone, perhaps you, tried to register with this e-mail address. It already has an account, so you only need to log in.",
        "If you have forgotten the password, you can set a new one from the log-in page. If it was not you, there is nothing to do.",
      ],
      action: "Log in",
    },
    password_changed: {
      subject: "Your Aqua password was changed",
      paragraphs: [
        "The password of your account was changed just now, and every device was logged out.",
        "If it was not you, set a new password at once and check who can read this mailbox.",
      ],
      action: "Set a new password",
    },
    wallet_linked: {
      subject: "A wallet was linked to your Aqua account",
      paragraphs: [
        "The wallet {address} was linked to your account. It can be used to log in.",
        "If it was not you, set a new password at once and look at your account.",
      ],
      action: "Open my account",
    },
    wallet_switched: {
      subject: "Your Aqua account uses another wallet",
      paragraphs: [
        "Your account now uses the wallet {address}. It was switched from {former}, which can no longer be used to log in.",
        "What the former wallet holds stays its own and can still be redeemed with it. If it was not you, set a new password at once and look at your account.",
      ],
      action: "Open my account",
    },
    identity_verified: {
      subject: "Your identity is verified",
      paragraphs: [
        "Your identity check is complete. Your linked wallet is now being entered on the blockchain; after that you can deposit.",
      ],
      action: "Open my account",
    },
    identity_rejected: {
      subject: "Your identity could not be verified",
      paragraphs: [
        "We could not verify your identity with what you submitted. The reason: {reason}",
        "You can submit again at any time. What you already hold is not affected.",
      ],
      action: "Submit again",
    },
  },
  rejections: {
    document_unreadable: "The document cannot be read.",
    document_expired: "The document has expired.",
    document_not_accepted: "This kind of document is not accepted.",
    details_differ: "Name or date of birth differ from the document.",
    country_not_served: "Residents of this country cannot be accepted.",
  },
};
