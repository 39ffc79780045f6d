ALTER TABLE "vault_state" ADD COLUMN "deployed" numeric(78, 0) DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "vault_state" ADD COLUMN "queue" text;--> statement-breakpoint
ALTER TABLE "vault_state" ADD COLUMN "queued" numeric(78, 0) DEFAULT 0 NOT NULL;