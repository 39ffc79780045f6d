CREATE TABLE "privileged_act" (
	"chain_id" bigint NOT NULL,
	"block" bigint NOT NULL,
	"log_index" integer NOT NULL,
	"time" bigint NOT NULL,
	"hash" text NOT NULL,
	"contract" text NOT NULL,
	"name" text NOT NULL,
	"args" jsonb NOT NULL,
	CONSTRAINT "privileged_act_chain_id_block_log_index_pk" PRIMARY KEY("chain_id","block","log_index")
);
--> statement-breakpoint
CREATE TABLE "queue_batch" (
	"chain_id" bigint NOT NULL,
	"block" bigint NOT NULL,
	"log_index" integer NOT NULL,
	"product" text NOT NULL,
	"time" bigint NOT NULL,
	"hash" text NOT NULL,
	"number" integer NOT NULL,
	"shares" numeric(78, 0) NOT NULL,
	"assets" numeric(78, 0) NOT NULL,
	"end" numeric(78, 0) NOT NULL,
	CONSTRAINT "queue_batch_chain_id_block_log_index_pk" PRIMARY KEY("chain_id","block","log_index")
);
--> statement-breakpoint
CREATE TABLE "queue_place" (
	"chain_id" bigint NOT NULL,
	"block" bigint NOT NULL,
	"log_index" integer NOT NULL,
	"product" text NOT NULL,
	"time" bigint NOT NULL,
	"wallet" text NOT NULL,
	"start" numeric(78, 0) NOT NULL,
	"shares" numeric(78, 0) NOT NULL,
	"requested_at" bigint NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "queue_place_chain_id_block_log_index_start_pk" PRIMARY KEY("chain_id","block","log_index","start")
);
--> statement-breakpoint
CREATE TABLE "receipt" (
	"chain_id" bigint NOT NULL,
	"block" bigint NOT NULL,
	"log_index" integer NOT NULL,
	"product" text NOT NULL,
	"time" bigint NOT NULL,
	"receipt_id" numeric(78, 0) NOT NULL,
	"owner" text NOT NULL,
	"term_id" integer NOT NULL,
	"principal" numeric(78, 0) NOT NULL,
	"interest" numeric(78, 0) NOT NULL,
	"opened_at" bigint NOT NULL,
	"maturity" bigint NOT NULL,
	"hash" text NOT NULL,
	"status" integer NOT NULL,
	"roll" integer NOT NULL,
	"roll_term_id" integer NOT NULL,
	"paid" numeric(78, 0) NOT NULL,
	"cost" numeric(78, 0) NOT NULL,
	"cost_estimated" boolean NOT NULL,
	"rolled_from" numeric(78, 0),
	"rolled_to" numeric(78, 0),
	"demanded_at" bigint,
	CONSTRAINT "receipt_chain_id_block_log_index_receipt_id_pk" PRIMARY KEY("chain_id","block","log_index","receipt_id")
);
--> statement-breakpoint
CREATE TABLE "term" (
	"chain_id" bigint NOT NULL,
	"block" bigint NOT NULL,
	"log_index" integer NOT NULL,
	"product" text NOT NULL,
	"time" bigint NOT NULL,
	"term_id" integer NOT NULL,
	"count" integer NOT NULL,
	"unit" integer NOT NULL,
	"rate" numeric(78, 0) NOT NULL,
	"break_rate" numeric(78, 0) NOT NULL,
	"penalty" numeric(78, 0) NOT NULL,
	"cap" numeric(78, 0) NOT NULL,
	"open" boolean NOT NULL,
	"principal" numeric(78, 0) NOT NULL,
	CONSTRAINT "term_chain_id_block_log_index_term_id_pk" PRIMARY KEY("chain_id","block","log_index","term_id")
);
--> statement-breakpoint
CREATE TABLE "term_state" (
	"chain_id" bigint NOT NULL,
	"block" bigint NOT NULL,
	"log_index" integer NOT NULL,
	"product" text NOT NULL,
	"time" bigint NOT NULL,
	"custodian" text NOT NULL,
	"buffer" numeric(78, 0) NOT NULL,
	"cap" numeric(78, 0) NOT NULL,
	"min_deposit" numeric(78, 0) NOT NULL,
	"paused_until" bigint NOT NULL,
	"cash" numeric(78, 0) NOT NULL,
	"deployed" numeric(78, 0) NOT NULL,
	"principal" numeric(78, 0) NOT NULL,
	"liabilities" numeric(78, 0) NOT NULL,
	"reserved" numeric(78, 0) NOT NULL,
	"claims" numeric(78, 0) NOT NULL,
	"received" numeric(78, 0) NOT NULL,
	"deposited" numeric(78, 0) NOT NULL,
	"paid_out" numeric(78, 0) NOT NULL,
	"losses" numeric(78, 0) NOT NULL,
	"receipts" integer NOT NULL,
	"holders" integer NOT NULL,
	CONSTRAINT "term_state_chain_id_block_log_index_pk" PRIMARY KEY("chain_id","block","log_index")
);
--> statement-breakpoint
ALTER TABLE "movement" ALTER COLUMN "price" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "movement" ADD COLUMN "receipt_id" numeric(78, 0);--> statement-breakpoint
ALTER TABLE "movement" ADD COLUMN "new_receipt_id" numeric(78, 0);--> statement-breakpoint
ALTER TABLE "movement" ADD COLUMN "fee" numeric(78, 0) DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "position" ADD COLUMN "pending" numeric(78, 0) DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "position" ADD COLUMN "claimable" numeric(78, 0) DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "position" ADD COLUMN "claimable_shares" numeric(78, 0) DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "position" ADD COLUMN "receipts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "position" ADD COLUMN "interest" numeric(78, 0) DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "vault_state" ADD COLUMN "requested" numeric(78, 0) DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "vault_state" ADD COLUMN "eligible" numeric(78, 0) DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "vault_state" ADD COLUMN "processed" numeric(78, 0) DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "vault_state" ADD COLUMN "set_aside" numeric(78, 0) DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "vault_state" ADD COLUMN "claimed" numeric(78, 0) DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "vault_state" ADD COLUMN "custodian" text;--> statement-breakpoint
ALTER TABLE "vault_state" ADD COLUMN "buffer" numeric(78, 0) DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "vault_state" ADD COLUMN "fee" numeric(78, 0) DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "vault_state" ADD COLUMN "fees_taken" numeric(78, 0) DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "vault_state" ADD COLUMN "max_rate" numeric(78, 0) DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "privileged_act_at" ON "privileged_act" USING btree ("time","block","log_index");--> statement-breakpoint
CREATE INDEX "queue_batch_line" ON "queue_batch" USING btree ("chain_id","product","end");--> statement-breakpoint
CREATE INDEX "queue_place_line" ON "queue_place" USING btree ("chain_id","product","start","block","log_index");--> statement-breakpoint
CREATE INDEX "queue_place_of_wallet" ON "queue_place" USING btree ("wallet","chain_id","product");--> statement-breakpoint
CREATE INDEX "receipt_latest" ON "receipt" USING btree ("chain_id","product","receipt_id","block","log_index");--> statement-breakpoint
CREATE INDEX "receipt_of_owner" ON "receipt" USING btree ("owner","chain_id","product","receipt_id");--> statement-breakpoint
CREATE INDEX "term_latest" ON "term" USING btree ("chain_id","product","term_id","block","log_index");--> statement-breakpoint
CREATE INDEX "term_state_at" ON "term_state" USING btree ("chain_id","product","time","block","log_index");--> statement-breakpoint
-- What was read before did not know the queue and the time deposits: everything of the chains is read anew.
TRUNCATE "product", "product_state", "vault_state", "position", "movement", "report", "identity_record", "block", "chain_cursor";
