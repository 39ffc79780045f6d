import type { Sessions } from "../account/sessions.ts";
import type { Database } from "../db/database.ts";
import type { Feature } from "../feature.ts";
import { createChainStates } from "../portfolio/chainState.ts";
import type { LogWriter } from "../publicLog/writer.ts";
import { createAnnouncementService } from "./announcements.ts";
import { createEvidenceJob, EVIDENCE_JOB, type EvidenceJobParts } from "./evidenceExpiry.ts";
import { createNoticeJob, NOTICE_JOB, type NoticeJobParts, scheduleNotices } from "./job.ts";
import { createLossJob, LOSS_JOB, type LossJobParts } from "./lossReviews.ts";
import { scheduleOperatorJob } from "./operatorJob.ts";
import { noticeRoutes } from "./routes.ts";
import { createNotificationService } from "./service.ts";

export interface NoticeParts extends Omit<NoticeJobParts, "states" | "mailer">, Omit<EvidenceJobParts, "mailer"> {
  mailer: NoticeJobParts["mailer"] & EvidenceJobParts["mailer"] & LossJobParts["mailer"];
  /** The database from which announcements are read. */
  reads: Database;
  sessions: Pick<Sessions, "require">;
  writer: LogWriter;
}

/** Notifies accounts and operators by mail, stores which notices they want, and lists what owners have announced. */
export function createNoticeFeature(parts: NoticeParts): Feature {
  const { db, reads, chains, documents, keys, sessions, writer } = parts;
  const states = createChainStates();
  const announced = createAnnouncementService({ db: reads, chains, documents, states });
  const service = createNotificationService({ db, keys, writer });
  return {
    routes: [noticeRoutes({ service, announced, sessions })],
    jobs: {
      [NOTICE_JOB]: createNoticeJob({ ...parts, states }),
      [EVIDENCE_JOB]: createEvidenceJob(parts),
      [LOSS_JOB]: createLossJob(parts),
    },
    async start() {
      await scheduleNotices(db.orm);
      for (const kind of [EVIDENCE_JOB, LOSS_JOB]) await scheduleOperatorJob(db.orm, kind, parts);
    },
  };
}
