import type { MailTexts } from "../content.ts";

export const french: MailTexts = {
  footer:
    "Vous recevez ce message parce que cette adresse a été saisie sur {host} ou appartient à un compte de ce site.",
  mails: {
    register_code: {
      subject: "Votre code d’inscription à Aqua",
      paragraphs: [
        "Saisissez ce code pour confirmer votre adresse e-mail. Il est valable {minutes} minutes.",
        "Personne chez Aqua ne vous le demandera jamais. Si vous ne vouliez pas vous inscrire, ignorez ce message : rien ne se passe sans le code.",
      ],
    },
    reset_code: {
      subject: "Votre code pour un nouveau mot de passe Aqua",
      paragraphs: [
        "Saisissez ce code pour choisir un nouveau mot de passe. Il est valable {minutes} minutes.",
        "Personne chez Aqua ne vous le demandera jamais. Si vous n’avez rien demandé, ignorez ce message : votre mot de passe reste inchangé.",
      ],
    },
    account_exists: {
      subject: "Vous avez déjà un compte Aqua",
      paragraphs: [
        "Quelqu’un, peut-être vous, a voulu s’inscrire avec cette adresse e-mail. Elle a déjà un compte : il suffit de vous connecter.",
        "Si vous avez oublié le mot de passe, vous pouvez en choisir un nouveau depuis la page de connexion. Si ce n’était pas vous, il n’y a rien à faire.",
      ],
      action: "Se connecter",
    },
    password_changed: {
      subject: "Votre mot de passe Aqua a été modifié",
      paragraphs: [
        "Le mot de passe de votre compte vient d’être modifié et tous les appareils ont été déconnectés.",
        "Si ce n’était pas vous, choisissez tout de suite un nouveau mot de passe et vérifiez qui a accès à cette boîte de réception.",
      ],
      action: "Choisir un nouveau mot de passe",
    },
    wallet_linked: {
      subject: "Un portefeuille a été lié à votre compte Aqua",
      paragraphs: [
        "Le portefeuille {address} a été lié à votre compte. Il permet de se connecter.",
        "Si ce n’était pas vous, choisissez tout de suite un nouveau mot de passe et vérifiez votre compte.",
      ],
      action: "Ouvrir mon compte",
    },
    wallet_switched: {
      subject: "Votre compte Aqua utilise un autre portefeuille",
      paragraphs: [
        "Votre compte utilise désormais le portefeuille {address}. Il remplace {former}, qui ne permet plus de se connecter.",
        "Ce que détient l’ancien portefeuille lui appartient toujours et peut encore être racheté avec lui. Si ce n’était pas vous, choisissez tout de suite un nouveau mot de passe et vérifiez votre compte.",
      ],
      action: "Ouvrir mon compte",
    },
    identity_verified: {
      subject: "Votre identité est vérifiée",
      paragraphs: [
        "La vérification de votre identité est terminée. Votre portefeuille lié est en cours d’inscription sur la blockchain ; vous pourrez ensuite déposer.",
      ],
      action: "Ouvrir mon compte",
    },
    identity_rejected: {
      subject: "Votre identité n’a pas pu être vérifiée",
      paragraphs: [
        "Les éléments transmis ne nous ont pas permis de vérifier votre identité. Motif : {reason}",
        "Vous pouvez faire une nouvelle demande à tout moment. Ce que vous détenez déjà n’est pas concerné.",
      ],
      action: "Faire une nouvelle demande",
    },
  },
  rejections: {
    document_unreadable: "La pièce d’identité est illisible.",
    document_expired: "La pièce d’identité a expiré.",
    document_not_accepted: "Ce type de pièce n’est pas accepté.",
    details_differ: "Le nom ou la date de naissance diffère de la pièce d’identité.",
    country_not_served: "Les résidents de ce pays ne peuvent pas être acceptés.",
  },
};
