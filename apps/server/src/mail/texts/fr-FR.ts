import type { MailTexts } from "../content.ts";

export const french: MailTexts = {
  footer:
    "Vous recevez cet e-mail parce que cette adresse a été saisie sur {host} ou appartient à un compte de ce site.",
  mails: {
    register_code: {
      subject: "Votre code d’inscription à Aqua",
      paragraphs: [
        "Saisissez ce code pour confirmer votre adresse e-mail. Il est valable {minutes} minutes.",
        "Aqua ne vous le demandera jamais. Si vous ne vouliez pas vous inscrire, ignorez cet e-mail.",
      ],
    },
    reset_code: {
      subject: "Votre code pour un nouveau mot de passe Aqua",
      paragraphs: [
        "Saisissez ce code pour choisir un nouveau mot de passe. Il est valable {minutes} minutes.",
        "Aqua ne vous le demandera jamais. Si vous n’avez rien demandé, ignorez cet e-mail : votre mot de passe reste inchangé.",
      ],
    },
    account_exists: {
      subject: "Vous avez déjà un compte Aqua",
      paragraphs: [
        "Quelqu’un, peut-être vous, a voulu s’inscrire avec cette adresse e-mail. Elle a déjà un compte : il suffit de vous connecter.",
        "Si vous avez oublié le mot de passe, vous pouvez en choisir un nouveau depuis la page de connexion. Si ce n’était pas vous, ignorez cet e-mail.",
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
      subject: "Un portefeuille a été associé à votre compte Aqua",
      paragraphs: [
        "Le portefeuille {address} a été associé à votre compte. Il permet de se connecter.",
        "Si ce n’était pas vous, choisissez tout de suite un nouveau mot de passe et vérifiez votre compte.",
      ],
      action: "Ouvrir mon compte",
    },
    wallet_switched: {
      subject: "Votre compte Aqua utilise un autre portefeuille",
      paragraphs: [
        "Votre compte utilise désormais le portefeuille {address}. Il remplace {former}, qui ne permet plus de se connecter.",
        "L’ancien portefeuille garde ses avoirs et peut encore les retirer. Si ce n’était pas vous, choisissez tout de suite un nouveau mot de passe et vérifiez votre compte.",
      ],
      action: "Ouvrir mon compte",
    },
    wallet_unlinked: {
      subject: "Un portefeuille a été dissocié de votre compte Aqua",
      paragraphs: [
        "Le portefeuille {address} a été dissocié de votre compte. Il ne permet plus de se connecter, et tous les autres appareils ont été déconnectés.",
        "Il conserve ses avoirs et peut toujours les retirer. Si ce n’était pas vous, définissez un nouveau mot de passe maintenant.",
      ],
      action: "Ouvrir mon compte",
    },
    confirm_code: {
      subject: "Votre code pour confirmer une opération sur Aqua",
      paragraphs: [
        "Saisissez ce code pour confirmer que c’est bien vous. Il est valable {minutes} minutes.",
        "Aqua ne vous le demande jamais par téléphone, par messagerie ou par e-mail. Si vous ne l’avez pas demandé, une autre personne est connectée à votre compte : choisissez tout de suite un nouveau mot de passe. Tous les appareils seront déconnectés.",
      ],
    },
    change_email_code: {
      subject: "Votre code pour une nouvelle adresse e-mail sur Aqua",
      paragraphs: [
        "Saisissez ce code pour utiliser cette adresse pour votre compte. Il est valable {minutes} minutes.",
        "Si vous ne l’avez pas demandé, ignorez ce message : rien ne change sans le code.",
      ],
    },
    email_changed: {
      subject: "L’adresse e-mail de votre compte Aqua a été modifiée",
      paragraphs: [
        "Votre compte utilise désormais {email}. Cette adresse ne reçoit plus ses messages, sauf pour un changement de portefeuille dans les 30 prochains jours.",
        "Si ce n’était pas vous, contactez tout de suite l’exploitant de {host}.",
      ],
      action: "Contacter l’exploitant",
    },
    password_replaced: {
      subject: "Le mot de passe de votre compte Aqua a changé",
      paragraphs: [
        "Le mot de passe de votre compte a été modifié depuis un appareil connecté. Tous les autres appareils ont été déconnectés.",
        "Si ce n’était pas vous, choisissez tout de suite un nouveau mot de passe. Cet appareil sera alors déconnecté aussi.",
      ],
      action: "Choisir un nouveau mot de passe",
    },
    new_device: {
      subject: "Nouvelle connexion à votre compte Aqua",
      paragraphs: [
        "Un nouvel appareil s’est connecté à votre compte le {time} : {device}, réseau {place}.",
        "Si c’était vous, il n’y a rien à faire. Sinon, déconnectez cet appareil et choisissez un nouveau mot de passe.",
      ],
      action: "Ouvrir mon compte",
    },
    password_entered: {
      subject: "Votre mot de passe Aqua a été saisi sur un nouvel appareil",
      paragraphs: [
        "Votre mot de passe a été saisi le {time} sur un nouvel appareil : {device}, réseau {place}. Un second facteur a ensuite été demandé.",
        "Si ce n’était pas vous, une autre personne connaît votre mot de passe : choisissez-en un nouveau tout de suite.",
      ],
      action: "Choisir un nouveau mot de passe",
    },
    many_failures: {
      subject: "Tentatives de connexion échouées à votre compte Aqua",
      paragraphs: [
        "{count} tentatives de connexion ou de confirmation ont échoué en une heure. La dernière venait de : {device}, réseau {place}.",
        "Votre compte est aussi sûr que votre mot de passe. Une clé d’accès ou une application d’authentification le protège mieux.",
      ],
      action: "Ouvrir mon compte",
    },
    exported: {
      subject: "Vos données Aqua ont été téléchargées",
      paragraphs: [
        "Toutes les données de votre compte viennent d’être téléchargées.",
        "Si ce n’était pas vous, choisissez tout de suite un nouveau mot de passe. Tous les appareils seront déconnectés.",
      ],
      action: "Ouvrir mon compte",
    },
    factor_added: {
      subject: "Un moyen de confirmation a été ajouté à votre compte Aqua",
      paragraphs: [
        "« {factor} » a été ajouté à votre compte. La connexion par mot de passe exige désormais ce moyen ou un autre second facteur.",
        "Si ce n’était pas vous, supprimez-le et choisissez tout de suite un nouveau mot de passe.",
      ],
      action: "Ouvrir mon compte",
    },
    factor_removed: {
      subject: "Un moyen de confirmation a été supprimé de votre compte Aqua",
      paragraphs: [
        "« {factor} » a été supprimé de votre compte.",
        "Si ce n’était pas vous, choisissez tout de suite un nouveau mot de passe et vérifiez ce qui reste.",
      ],
      action: "Ouvrir mon compte",
    },
    recovery_codes_made: {
      subject: "Nouveaux codes de secours pour votre compte Aqua",
      paragraphs: [
        "De nouveaux codes de secours ont été créés. Les précédents ne sont plus valables.",
        "Si ce n’était pas vous, choisissez tout de suite un nouveau mot de passe et vérifiez votre compte.",
      ],
      action: "Ouvrir mon compte",
    },
    recovery_code_used: {
      subject: "Un code de secours de votre compte Aqua a été utilisé",
      paragraphs: [
        "Un code de secours a été utilisé à la place du second facteur. Codes restants : {left}.",
        "Si ce n’était pas vous, créez de nouveaux codes et choisissez tout de suite un nouveau mot de passe.",
      ],
      action: "Ouvrir mon compte",
    },
    switch_waits: {
      subject: "Votre compte Aqua change de portefeuille : vous pouvez l’arrêter",
      paragraphs: [
        "Votre compte utilise désormais le portefeuille {address} à la place de {former}. Ce que détient {former} y reste.",
        "La blockchain inscrit le nouveau portefeuille au plus tôt le {time}. D’ici là, vous pouvez arrêter le changement avec le lien ci-dessous, sans vous connecter.",
        "Si c’était vous, il n’y a rien à faire. Sinon, arrêtez le changement et choisissez tout de suite un nouveau mot de passe.",
      ],
      action: "Arrêter le changement",
    },
    switch_stopped: {
      subject: "Le changement de votre portefeuille a été arrêté",
      paragraphs: [
        "Le passage de {former} à {address} a été arrêté. Votre compte utilise de nouveau {former}, et tous les appareils ont été déconnectés.",
        "Si vous n’aviez pas demandé ce changement, une autre personne a pu se connecter à votre compte : choisissez tout de suite un nouveau mot de passe.",
      ],
      action: "Choisir un nouveau mot de passe",
    },
    identity_verified: {
      subject: "Votre identité est vérifiée",
      paragraphs: [
        "Votre portefeuille associé est en cours d’enregistrement sur la chaîne ; vous pourrez ensuite déposer.",
      ],
      action: "Ouvrir mon compte",
    },
    identity_rejected: {
      subject: "Votre identité n’a pas pu être vérifiée",
      paragraphs: [
        "Les éléments transmis ne nous ont pas permis de vérifier votre identité. Motif : {reason}",
        "Vous pouvez faire une nouvelle demande à tout moment. Ce que vous détenez déjà n’est pas concerné.",
      ],
      action: "Faire une nouvelle demande",
    },
    recovery_proposed: {
      subject: "Le vérificateur d’identité propose de récupérer votre portefeuille",
      paragraphs: [
        "Le {proposed}, le vérificateur d’identité a proposé une récupération de votre portefeuille {wallet}. Le portefeuille {successor} doit le remplacer.",
        "Du {from} au {until}, n’importe qui peut l’exécuter : {wallet} est alors définitivement fermé, et tout ce qu’il contient passe à {successor}.",
        "Si cette demande ne vient pas de vous, connectez {wallet} et opposez un veto. Une seule transaction suffit et ne coûte que les frais de réseau.",
      ],
      action: "Ouvrir Aqua",
    },
    recovery_pending: {
      subject: "La récupération de votre portefeuille reste sans veto de votre part",
      paragraphs: [
        "La récupération de votre portefeuille {wallet}, proposée le {proposed} par le vérificateur d’identité, reste sans veto de votre part. Le portefeuille {successor} doit le remplacer.",
        "Du {from} au {until}, n’importe qui peut l’exécuter : {wallet} est alors définitivement fermé, et tout ce qu’il contient passe à {successor}.",
        "Si cette demande ne vient pas de vous, connectez {wallet} et opposez un veto. Une seule transaction suffit et ne coûte que les frais de réseau.",
      ],
      action: "Ouvrir Aqua",
    },
    recovery_executed: {
      subject: "Votre portefeuille a été remplacé par une récupération",
      paragraphs: [
        "Le {time}, la récupération de votre portefeuille {wallet} a été exécutée. Il est définitivement fermé, et tout ce qu’il contient passe à {successor}.",
        "Si cette demande ne vient pas de vous, contactez tout de suite l’exploitant du site {host}.",
      ],
      action: "Voir les actes sur la chaîne",
    },
    fee_change: {
      subject: "{product} : la commission de performance passe à {fee}",
      paragraphs: [
        "Le propriétaire du produit {product} a annoncé une nouvelle commission de performance : {fee} au lieu de {formerFee}.",
      ],
      action: "Ouvrir le produit",
    },
    custodian_change: {
      subject: "{product} : le dépositaire ou la réserve de liquidité change",
      paragraphs: [
        "Le propriétaire du produit {product} a annoncé un changement de dépositaire ou de réserve de liquidité.",
      ],
      action: "Ouvrir le produit",
    },
    withdrawal_ready: {
      subject: "Votre retrait du produit {product} peut être encaissé",
      paragraphs: [
        "Montant mis de côté pour vous dans {product} : {amount}. Vous pouvez l’encaisser avec votre portefeuille {wallet}.",
      ],
      action: "Encaisser",
    },
    deposit_matures: {
      subject: "Votre dépôt à terme arrive à échéance le {date}",
      paragraphs: [
        "Votre certificat de dépôt {receipt} dans {product} arrive à échéance le {maturity}. Capital : {principal}. Intérêts : {interest}.",
      ],
      action: "Ouvrir mes placements",
    },
    deposit_maturity_day: {
      subject: "Échéance de votre dépôt à terme : {date}",
      paragraphs: [
        "Échéance de votre certificat de dépôt {receipt} dans {product} : {maturity}. Capital : {principal}. Intérêts : {interest}.",
      ],
      action: "Ouvrir mes placements",
    },
    identity_expires: {
      subject: "Votre vérification d’identité expire le {date}",
      paragraphs: [
        "Après le {date}, votre portefeuille ne peut plus déposer avant une nouvelle vérification. Les retraits n’en dépendent jamais.",
        "Vous pouvez la renouveler dès maintenant.",
      ],
      action: "Renouveler",
    },
    evidence_expires: {
      subject: "{product} : les justificatifs expirent le {date}",
      paragraphs: [
        "Les justificatifs du produit {product} expirent le {date}. L’exploitant ne les a pas encore renouvelés.",
        "Une fois expirés, le produit n’accepte aucun dépôt avant leur renouvellement. Les retraits n’en dépendent pas.",
      ],
      action: "Ouvrir le produit",
    },
    income_digest: {
      subject: "Vos revenus, {month}",
      paragraphs: ["Ce que vos dépôts ont rapporté ({month}), et leur valeur en fin de mois :"],
      line: "{product} : {earned} de revenus, valeur {value}",
      action: "Ouvrir mes placements",
    },
  },
  rejections: {
    document_unreadable: "La pièce d’identité est illisible.",
    document_expired: "La pièce d’identité a expiré.",
    document_not_accepted: "Ce type de pièce n’est pas accepté.",
    details_differ: "Le nom ou la date de naissance diffère de la pièce d’identité.",
    country_not_served: "Les résidents de ce pays ne peuvent pas être acceptés.",
  },
  factors: { passkey: "Clé d’accès", totp: "Application d’authentification" },
  unknownProgram: "programme inconnu",
  notes: {
    custodian_new: "Dépositaire : {custodian} au lieu de {formerCustodian}.",
    buffer_new: "Réserve de liquidité : {buffer} au lieu de {formerBuffer}.",
    exit_by:
      "Vous pourriez avoir tout retiré le {exit} ; ce changement est possible à partir du {from}. La première date est une estimation : sur les 12 derniers mois, 90 % de tels retraits auraient été payés d’ici là.",
    exit_now: "Vous pourriez tout retirer immédiatement ; ce changement est possible à partir du {from}.",
    exit_no_estimate:
      "Ce changement est possible à partir du {from}. Votre retrait ne peut pas être estimé : l’historique du produit est trop court, ou trop peu de fonds sont arrivés.",
    exit_restricted:
      "Ce changement est possible à partir du {from}. Votre retrait ne peut pas être estimé : un de vos portefeuilles n’est pas enregistré ou est gelé.",
    withdrawal_part: "Le reste de votre demande est encore dans la file de retrait.",
    roll_none:
      "Votre consigne d’échéance : ne pas reconduire. Dès l’échéance, vous pouvez encaisser capital et intérêts avec votre portefeuille {wallet}.",
    roll_principal: "Votre consigne d’échéance : reconduire le capital. Les intérêts sont versés.",
    roll_all: "Votre consigne d’échéance : reconduire capital et intérêts.",
    wallet_logs_in:
      "Le portefeuille {wallet} permet toujours de se connecter à votre compte. S’il n’est pas à vous, connectez-vous avec le nouveau mot de passe et dissociez-le sur la page de votre compte.",
  },
  figures: "Chiffres du bloc {block} sur {chain}, {read}.",
  unsubscribe: "Ne plus recevoir ce type d’e-mail : {unsubscribe}",
  required: "Cet e-mail ne peut pas être désactivé : il concerne l’accès à votre argent ou ses conditions.",
  settings: "Tous les e-mails que vous recevez : {settings}",
};
