import type { MailTexts } from "../content.ts";

export const korean: MailTexts = {
  footer: "{host}에 이 주소가 입력되었거나 이 주소로 된 계정이 있어 보내 드리는 이메일입니다.",
  mails: {
    register_code: {
      subject: "Aqua 회원가입 인증 코드",
      paragraphs: [
        "이메일 주소를 확인하려면 이 코드를 입력하세요. {minutes}분 동안 유효합니다.",
        "Aqua는 코드를 묻지 않습니다. 가입을 요청하지 않았다면 이 이메일을 무시하세요.",
      ],
    },
    reset_code: {
      subject: "Aqua 비밀번호 재설정 코드",
      paragraphs: [
        "새 비밀번호를 설정하려면 이 코드를 입력하세요. {minutes}분 동안 유효합니다.",
        "Aqua는 코드를 묻지 않습니다. 요청하지 않았다면 이 이메일을 무시하세요. 비밀번호는 그대로 유지됩니다.",
      ],
    },
    account_exists: {
      subject: "이미 Aqua 계정이 있습니다",
      paragraphs: [
        "누군가(아마도 본인)가 이 이메일 주소로 가입하려 했습니다. 이미 계정이 있으므로 로그인하세요.",
        "비밀번호를 잊었다면 로그인 페이지에서 새로 설정하세요. 본인이 아니라면 이 이메일을 무시하세요.",
      ],
      action: "로그인",
    },
    password_changed: {
      subject: "Aqua 비밀번호가 변경되었습니다",
      paragraphs: [
        "계정의 비밀번호가 변경되었습니다. 모든 장치에서 로그아웃되었습니다.",
        "본인이 아니라면 즉시 새 비밀번호를 설정하고, 이 편지함을 볼 수 있는 사람이 누구인지 확인하세요.",
      ],
      action: "새 비밀번호 설정",
    },
    wallet_linked: {
      subject: "Aqua 계정에 지갑이 등록되었습니다",
      paragraphs: [
        "지갑 {address} 주소가 계정에 등록되었습니다. 이 지갑으로 로그인할 수 있습니다.",
        "본인이 아니라면 즉시 새 비밀번호를 설정하고 계정을 확인하세요.",
      ],
      action: "내 계정 열기",
    },
    wallet_switched: {
      subject: "Aqua 계정의 지갑이 변경되었습니다",
      paragraphs: [
        "이제 계정에서 지갑 {address} 주소를 사용합니다. 이전 지갑 {former} 주소로는 더 이상 로그인할 수 없습니다.",
        "이전 지갑의 보유 자산은 그대로이며 그 지갑으로 출금할 수 있습니다. 본인이 아니라면 즉시 새 비밀번호를 설정하고 계정을 확인하세요.",
      ],
      action: "내 계정 열기",
    },
    wallet_unlinked: {
      subject: "Aqua 계정에서 지갑 등록이 해제되었습니다",
      paragraphs: [
        "지갑 {address}의 계정 등록이 해제되었습니다. 이 지갑으로는 더 이상 로그인할 수 없으며, 다른 모든 장치에서 로그아웃되었습니다.",
        "지갑의 보유 자산은 그대로 있으며 계속 출금할 수 있습니다. 본인이 한 것이 아니라면 지금 새 비밀번호를 설정하십시오.",
      ],
      action: "내 계정 열기",
    },
    confirm_code: {
      subject: "Aqua 변경 확인 코드",
      paragraphs: [
        "본인 확인을 위해 이 코드를 입력하십시오. {minutes}분 동안 유효합니다.",
        "Aqua는 전화, 채팅, 이메일로 코드를 묻지 않습니다. 직접 요청하지 않았다면 다른 사람이 계정에 로그인한 상태입니다. 지금 새 비밀번호를 설정하십시오. 모든 장치에서 로그아웃됩니다.",
      ],
    },
    change_email_code: {
      subject: "Aqua 새 이메일 주소 확인 코드",
      paragraphs: [
        "이 주소를 계정에 사용하려면 이 코드를 입력하십시오. {minutes}분 동안 유효합니다.",
        "직접 요청하지 않았다면 이 이메일을 무시하십시오. 코드 없이는 아무것도 바뀌지 않습니다.",
      ],
    },
    email_changed: {
      subject: "Aqua 계정의 이메일 주소가 변경되었습니다",
      paragraphs: [
        "이제 계정은 {email} 주소를 사용합니다. 이 주소로는 앞으로 30일 동안의 지갑 교체 안내 외에 이메일을 보내지 않습니다.",
        "직접 하지 않았다면 지금 {host} 운영자에게 연락하십시오.",
      ],
      action: "운영자에게 연락",
    },
    password_replaced: {
      subject: "Aqua 계정의 비밀번호가 변경되었습니다",
      paragraphs: [
        "로그인된 장치에서 계정의 비밀번호가 변경되었습니다. 다른 모든 장치에서 로그아웃되었습니다.",
        "직접 하지 않았다면 지금 새 비밀번호를 설정하십시오. 해당 장치에서도 로그아웃됩니다.",
      ],
      action: "새 비밀번호 설정",
    },
    new_device: {
      subject: "Aqua 계정에 새로운 로그인이 있습니다",
      paragraphs: [
        "{time}, 새 장치에서 계정에 로그인했습니다: {device}, 네트워크 {place}.",
        "본인이라면 할 일이 없습니다. 아니라면 그 장치에서 로그아웃하고 새 비밀번호를 설정하십시오.",
      ],
      action: "내 계정 열기",
    },
    password_entered: {
      subject: "새 장치에서 Aqua 비밀번호가 입력되었습니다",
      paragraphs: [
        "{time}, 새 장치에서 비밀번호가 입력되었습니다: {device}, 네트워크 {place}. 이후 2단계 인증이 요구되었습니다.",
        "본인이 아니라면 다른 사람이 비밀번호를 알고 있습니다. 지금 새 비밀번호를 설정하십시오.",
      ],
      action: "새 비밀번호 설정",
    },
    many_failures: {
      subject: "Aqua 계정의 로그인 실패가 반복되었습니다",
      paragraphs: [
        "한 시간 동안 로그인 또는 확인 시도가 {count}회 실패했습니다. 마지막 시도: {device}, 네트워크 {place}.",
        "계정의 안전은 비밀번호에 달려 있습니다. 패스키나 인증 앱을 사용하면 더 안전합니다.",
      ],
      action: "내 계정 열기",
    },
    exported: {
      subject: "Aqua 데이터가 다운로드되었습니다",
      paragraphs: [
        "방금 계정의 모든 데이터가 다운로드되었습니다.",
        "본인이 아니라면 지금 새 비밀번호를 설정하십시오. 모든 장치에서 로그아웃됩니다.",
      ],
      action: "내 계정 열기",
    },
    factor_added: {
      subject: "Aqua 계정에 인증 수단이 추가되었습니다",
      paragraphs: [
        "추가된 인증 수단: “{factor}”. 이제 비밀번호로 로그인할 때 이 수단이나 다른 2단계 인증이 필요합니다.",
        "직접 하지 않았다면 지금 삭제하고 새 비밀번호를 설정하십시오.",
      ],
      action: "내 계정 열기",
    },
    factor_removed: {
      subject: "Aqua 계정에서 인증 수단이 삭제되었습니다",
      paragraphs: [
        "삭제된 인증 수단: “{factor}”.",
        "직접 하지 않았다면 지금 새 비밀번호를 설정하고 남은 인증 수단을 확인하십시오.",
      ],
      action: "내 계정 열기",
    },
    recovery_codes_made: {
      subject: "Aqua 계정의 새 복구 코드",
      paragraphs: [
        "새 복구 코드가 생성되었습니다. 이전 코드는 더 이상 유효하지 않습니다.",
        "직접 하지 않았다면 지금 새 비밀번호를 설정하고 계정을 확인하십시오.",
      ],
      action: "내 계정 열기",
    },
    recovery_code_used: {
      subject: "Aqua 계정의 복구 코드가 사용되었습니다",
      paragraphs: [
        "2단계 인증 대신 복구 코드가 사용되었습니다. 남은 코드: {left}개.",
        "본인이 아니라면 지금 새 코드를 생성하고 새 비밀번호를 설정하십시오.",
      ],
      action: "내 계정 열기",
    },
    switch_waits: {
      subject: "Aqua 계정의 지갑 교체: 중단할 수 있습니다",
      paragraphs: [
        "이제 계정은 {former} 대신 지갑 {address} 주소를 사용합니다. {former} 지갑의 자산은 그대로 있습니다.",
        "블록체인에는 빨라도 {time}에 새 지갑이 기록됩니다. 그전까지는 로그인하지 않고 아래 링크로 교체를 중단할 수 있습니다.",
        "본인이라면 할 일이 없습니다. 아니라면 지금 교체를 중단하고 새 비밀번호를 설정하십시오.",
      ],
      action: "교체 중단",
    },
    switch_stopped: {
      subject: "지갑 교체가 중단되었습니다",
      paragraphs: [
        "{former} 지갑에서 {address} 지갑으로의 교체가 중단되었습니다. 계정은 다시 {former} 지갑을 사용하며 모든 장치에서 로그아웃되었습니다.",
        "직접 요청한 교체가 아니라면 다른 사람이 계정에 로그인할 수 있는 상태입니다. 지금 새 비밀번호를 설정하십시오.",
      ],
      action: "새 비밀번호 설정",
    },
    identity_verified: {
      subject: "본인 인증이 완료되었습니다",
      paragraphs: ["등록된 지갑을 체인에 기록하는 중입니다. 기록이 끝나면 예치할 수 있습니다."],
      action: "내 계정 열기",
    },
    identity_rejected: {
      subject: "본인 인증을 완료하지 못했습니다",
      paragraphs: [
        "제출하신 자료로는 신원을 확인할 수 없었습니다. 사유: {reason}",
        "언제든지 다시 제출할 수 있습니다. 이미 보유한 자산에는 영향이 없습니다.",
      ],
      action: "다시 제출",
    },
    recovery_proposed: {
      subject: "신원 확인자가 지갑 복구를 제안했습니다",
      paragraphs: [
        "{proposed}, 신원 확인자가 지갑 {wallet} 주소의 복구를 제안했습니다. 이 지갑을 대체할 지갑: {successor}",
        "{from}부터 {until}까지 누구나 실행할 수 있습니다. 실행되면 {wallet} 지갑은 영구히 닫히고 보유한 모든 자산이 {successor} 지갑으로 이동합니다.",
        "직접 요청하지 않았다면 {wallet} 지갑을 연결하고 ‘거부하기’를 누르세요. 트랜잭션 한 번이면 되고 네트워크 수수료만 듭니다.",
      ],
      action: "Aqua 열기",
    },
    recovery_pending: {
      subject: "지갑 복구 제안을 아직 거부하지 않았습니다",
      paragraphs: [
        "신원 확인자가 {proposed}에 제안한 복구를 아직 거부하지 않았습니다. 대상 지갑: {wallet}. 대체할 지갑: {successor}",
        "{from}부터 {until}까지 누구나 실행할 수 있습니다. 실행되면 {wallet} 지갑은 영구히 닫히고 보유한 모든 자산이 {successor} 지갑으로 이동합니다.",
        "직접 요청하지 않았다면 {wallet} 지갑을 연결하고 ‘거부하기’를 누르세요. 트랜잭션 한 번이면 되고 네트워크 수수료만 듭니다.",
      ],
      action: "Aqua 열기",
    },
    recovery_executed: {
      subject: "지갑이 복구로 대체되었습니다",
      paragraphs: [
        "{time}, 지갑 {wallet} 주소의 복구가 실행되었습니다. 이 지갑은 영구히 닫혔고 보유한 모든 자산이 {successor} 지갑으로 이동합니다.",
        "직접 요청하지 않았다면 지금 {host} 운영자에게 연락하세요.",
      ],
      action: "체인 기록 열기",
    },
    fee_change: {
      subject: "{product}: 성과 수수료가 {fee}로 변경됩니다",
      paragraphs: ["{product} 소유자가 성과 수수료 변경을 예고했습니다. 현재 {formerFee}, 변경 후 {fee}입니다."],
      action: "상품 열기",
    },
    custodian_change: {
      subject: "{product}: 수탁기관 또는 완충 자금이 변경됩니다",
      paragraphs: ["{product} 소유자가 수탁기관 또는 완충 자금의 변경을 예고했습니다."],
      action: "상품 열기",
    },
    withdrawal_ready: {
      subject: "{product} 출금액을 수령할 수 있습니다",
      paragraphs: ["{product}에서 수령할 금액: {amount}. 지갑 {wallet} 주소로 수령할 수 있습니다."],
      action: "수령하기",
    },
    deposit_matures: {
      subject: "정기 예치 만기: {date}",
      paragraphs: ["{product} 예치증서 {receipt}의 만기는 {maturity}입니다. 원금: {principal}. 이자: {interest}."],
      action: "포트폴리오 열기",
    },
    deposit_maturity_day: {
      subject: "정기 예치 만기일입니다: {date}",
      paragraphs: ["{product} 예치증서 {receipt} 만기 시각: {maturity}. 원금: {principal}. 이자: {interest}."],
      action: "포트폴리오 열기",
    },
    identity_expires: {
      subject: "본인 인증이 {date}에 만료됩니다",
      paragraphs: [
        "{date} 이후에는 다시 인증할 때까지 지갑에서 예치할 수 없습니다. 출금에는 영향이 없습니다.",
        "지금 인증을 갱신할 수 있습니다.",
      ],
      action: "갱신하기",
    },
    evidence_expires: {
      subject: "{product}: 증빙이 {date}에 만료됩니다",
      paragraphs: [
        "{product} 증빙이 {date}에 만료됩니다. 운영자가 아직 갱신하지 않았습니다.",
        "만료되면 갱신될 때까지 이 상품에 예치할 수 없습니다. 출금에는 영향이 없습니다.",
      ],
      action: "상품 열기",
    },
    income_digest: {
      subject: "{month} 수익",
      paragraphs: ["{month} 예치 수익과 월말 가치입니다."],
      line: "{product}: 수익 {earned}, 가치 {value}",
      action: "포트폴리오 열기",
    },
  },
  rejections: {
    document_unreadable: "신분증을 읽을 수 없습니다.",
    document_expired: "신분증의 유효 기간이 지났습니다.",
    document_not_accepted: "이 종류의 신분증은 받지 않습니다.",
    details_differ: "이름 또는 생년월일이 신분증과 다릅니다.",
    country_not_served: "이 국가의 거주자는 이용할 수 없습니다.",
  },
  factors: { passkey: "패스키", totp: "인증 앱" },
  unknownProgram: "알 수 없는 프로그램",
  notes: {
    custodian_new: "수탁기관: 현재 {formerCustodian}, 변경 후 {custodian}.",
    buffer_new: "완충 자금: 현재 {formerBuffer}, 변경 후 {buffer}.",
    exit_by:
      "{exit}까지 전액을 출금할 수 있을 것으로 예상되며, 이 변경은 {from}부터 가능합니다. 앞의 날짜는 추정입니다. 최근 12개월이라면 비슷한 출금의 90%가 그때까지 지급되었을 것입니다.",
    exit_now: "지금 전액을 출금할 수 있으며, 이 변경은 {from}부터 가능합니다.",
    exit_no_estimate:
      "이 변경은 {from}부터 가능합니다. 전액 출금 시점은 알 수 없습니다. 상품의 이력이 너무 짧거나 들어온 자금이 너무 적습니다.",
    exit_restricted:
      "이 변경은 {from}부터 가능합니다. 전액 출금 시점은 알 수 없습니다. 등록 기록이 없거나 동결된 지갑이 있습니다.",
    withdrawal_part: "출금 신청의 나머지는 출금 대기열에 있습니다.",
    roll_none: "만기 처리 방법: 재예치하지 않음. 만기부터 지갑 {wallet} 주소로 원금과 이자를 수령할 수 있습니다.",
    roll_principal: "만기 처리 방법: 원금 재예치, 이자 지급.",
    roll_all: "만기 처리 방법: 원금과 이자 재예치.",
    wallet_logs_in:
      "지갑 {wallet}(으)로 계속 계정에 로그인할 수 있습니다. 본인의 지갑이 아니라면 새 비밀번호로 로그인하여 계정 페이지에서 등록을 해제하십시오.",
  },
  figures: "{chain} 블록 {block} 기준 수치입니다. 시각: {read}.",
  unsubscribe: "이 종류의 이메일 그만 받기: {unsubscribe}",
  required: "이 이메일은 끌 수 없습니다. 자금에 접근할 수 있는 지갑이나 자금의 조건에 관한 이메일입니다.",
  settings: "받는 이메일 전체: {settings}",
};
