import type { MailTexts } from "../content.ts";

export const korean: MailTexts = {
  footer: "{host}에 이 주소가 입력되었거나 이 주소로 된 계정이 있어 보내 드리는 메일입니다.",
  mails: {
    register_code: {
      subject: "Aqua 회원가입 인증 코드",
      paragraphs: [
        "이메일 주소를 확인하려면 이 코드를 입력하세요. {minutes}분 동안 유효합니다.",
        "Aqua는 어떤 경우에도 코드를 묻지 않습니다. 가입하려 하지 않으셨다면 이 메일을 무시하세요. 코드 없이는 아무 일도 일어나지 않습니다.",
      ],
    },
    reset_code: {
      subject: "Aqua 비밀번호 재설정 코드",
      paragraphs: [
        "새 비밀번호를 설정하려면 이 코드를 입력하세요. {minutes}분 동안 유효합니다.",
        "Aqua는 어떤 경우에도 코드를 묻지 않습니다. 요청하지 않으셨다면 이 메일을 무시하세요. 비밀번호는 그대로 유지됩니다.",
      ],
    },
    account_exists: {
      subject: "이미 Aqua 계정이 있습니다",
      paragraphs: [
        "누군가(아마도 본인)가 이 이메일 주소로 가입하려 했습니다. 이미 계정이 있으므로 로그인만 하시면 됩니다.",
        "비밀번호를 잊으셨다면 로그인 페이지에서 새로 설정할 수 있습니다. 본인이 아니라면 아무것도 하지 않으셔도 됩니다.",
      ],
      action: "로그인",
    },
    password_changed: {
      subject: "Aqua 비밀번호가 변경되었습니다",
      paragraphs: [
        "방금 계정의 비밀번호가 변경되었고 모든 기기에서 로그아웃되었습니다.",
        "본인이 아니라면 즉시 새 비밀번호를 설정하고, 이 메일함을 볼 수 있는 사람이 누구인지 확인하세요.",
      ],
      action: "새 비밀번호 설정",
    },
    wallet_linked: {
      subject: "Aqua 계정에 지갑이 연결되었습니다",
      paragraphs: [
        "지갑 {address} 주소가 계정에 연결되었습니다. 이 지갑으로 로그인할 수 있습니다.",
        "본인이 아니라면 즉시 새 비밀번호를 설정하고 계정을 확인하세요.",
      ],
      action: "내 계정 열기",
    },
    wallet_switched: {
      subject: "Aqua 계정의 지갑이 변경되었습니다",
      paragraphs: [
        "이제 계정에서 지갑 {address} 주소를 사용합니다. 이전 지갑 {former} 주소로는 더 이상 로그인할 수 없습니다.",
        "이전 지갑이 보유한 자산은 그대로이며 그 지갑으로 계속 상환할 수 있습니다. 본인이 아니라면 즉시 새 비밀번호를 설정하고 계정을 확인하세요.",
      ],
      action: "내 계정 열기",
    },
    identity_verified: {
      subject: "신원 확인이 완료되었습니다",
      paragraphs: [
        "신원 확인이 끝났습니다. 연결된 지갑을 블록체인에 등록하는 중이며, 등록이 끝나면 예치할 수 있습니다.",
      ],
      action: "내 계정 열기",
    },
    identity_rejected: {
      subject: "신원을 확인하지 못했습니다",
      paragraphs: [
        "제출하신 자료로는 신원을 확인할 수 없었습니다. 사유: {reason}",
        "언제든지 다시 제출할 수 있습니다. 이미 보유한 자산에는 영향이 없습니다.",
      ],
      action: "다시 제출",
    },
  },
  rejections: {
    document_unreadable: "신분증을 읽을 수 없습니다.",
    document_expired: "신분증의 유효 기간이 지났습니다.",
    document_not_accepted: "이 종류의 신분증은 받지 않습니다.",
    details_differ: "이름 또는 생년월일이 신분증과 다릅니다.",
    country_not_served: "이 국가의 거주자는 이용할 수 없습니다.",
  },
};
