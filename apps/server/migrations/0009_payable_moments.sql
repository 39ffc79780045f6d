ALTER TABLE "queue_place" ADD COLUMN "payable_from" bigint;--> statement-breakpoint
ALTER TABLE "vault_state" ADD COLUMN "loss_until" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "vault_state" ADD COLUMN "review_until" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "vault_state" ADD COLUMN "evidence_until" bigint DEFAULT 0 NOT NULL;