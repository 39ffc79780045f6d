CREATE TABLE "account_wallet" (
	"address" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"create_time" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "block" (
	"chain_id" bigint NOT NULL,
	"number" bigint NOT NULL,
	"hash" text NOT NULL,
	"time" bigint NOT NULL,
	CONSTRAINT "block_chain_id_number_pk" PRIMARY KEY("chain_id","number")
);
--> statement-breakpoint
CREATE TABLE "chain_cursor" (
	"chain_id" bigint PRIMARY KEY NOT NULL,
	"product_registry" text NOT NULL,
	"block" bigint,
	"hash" text,
	"time" bigint,
	"head" bigint,
	"head_time" bigint,
	"state" text NOT NULL,
	"epoch" bigint NOT NULL,
	"lease_owner" uuid,
	"lease_until" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "identity_record" (
	"chain_id" bigint NOT NULL,
	"block" bigint NOT NULL,
	"log_index" integer NOT NULL,
	"wallet" text NOT NULL,
	"time" bigint NOT NULL,
	"subject" text NOT NULL,
	"valid_until" numeric(78, 0) NOT NULL,
	"country" integer NOT NULL,
	"tier" integer NOT NULL,
	"revoked" boolean NOT NULL,
	"frozen" boolean NOT NULL,
	CONSTRAINT "identity_record_chain_id_block_log_index_pk" PRIMARY KEY("chain_id","block","log_index")
);
--> statement-breakpoint
CREATE TABLE "movement" (
	"chain_id" bigint NOT NULL,
	"block" bigint NOT NULL,
	"log_index" integer NOT NULL,
	"wallet" text NOT NULL,
	"product" text NOT NULL,
	"time" bigint NOT NULL,
	"hash" text NOT NULL,
	"kind" text NOT NULL,
	"assets" numeric(78, 0) NOT NULL,
	"shares" numeric(78, 0) NOT NULL,
	"price" numeric(78, 0) NOT NULL,
	CONSTRAINT "movement_chain_id_block_log_index_wallet_pk" PRIMARY KEY("chain_id","block","log_index","wallet")
);
--> statement-breakpoint
CREATE TABLE "position" (
	"chain_id" bigint NOT NULL,
	"block" bigint NOT NULL,
	"log_index" integer NOT NULL,
	"wallet" text NOT NULL,
	"product" text NOT NULL,
	"time" bigint NOT NULL,
	"shares" numeric(78, 0) NOT NULL,
	"cost" numeric(78, 0) NOT NULL,
	"realised" numeric(78, 0) NOT NULL,
	"total_in" numeric(78, 0) NOT NULL,
	"total_out" numeric(78, 0) NOT NULL,
	"cost_estimated" boolean NOT NULL,
	"since" bigint,
	CONSTRAINT "position_chain_id_block_log_index_wallet_pk" PRIMARY KEY("chain_id","block","log_index","wallet")
);
--> statement-breakpoint
CREATE TABLE "product" (
	"chain_id" bigint NOT NULL,
	"address" text NOT NULL,
	"short_id" text NOT NULL,
	"product_type" integer NOT NULL,
	"asset" text NOT NULL,
	"asset_symbol" text NOT NULL,
	"asset_decimals" integer NOT NULL,
	"share_name" text NOT NULL,
	"share_symbol" text NOT NULL,
	"share_decimals" integer NOT NULL,
	"block" bigint NOT NULL,
	"log_index" integer NOT NULL,
	"time" bigint NOT NULL,
	CONSTRAINT "product_chain_id_address_pk" PRIMARY KEY("chain_id","address")
);
--> statement-breakpoint
CREATE TABLE "product_state" (
	"chain_id" bigint NOT NULL,
	"block" bigint NOT NULL,
	"log_index" integer NOT NULL,
	"product" text NOT NULL,
	"time" bigint NOT NULL,
	"status" integer NOT NULL,
	"metadata_hash" text NOT NULL,
	CONSTRAINT "product_state_chain_id_block_log_index_pk" PRIMARY KEY("chain_id","block","log_index")
);
--> statement-breakpoint
CREATE TABLE "report" (
	"chain_id" bigint NOT NULL,
	"block" bigint NOT NULL,
	"log_index" integer NOT NULL,
	"product" text NOT NULL,
	"time" bigint NOT NULL,
	"hash" text NOT NULL,
	"delta" numeric(78, 0) NOT NULL,
	"as_of" bigint NOT NULL,
	"evidence_root" text NOT NULL,
	CONSTRAINT "report_chain_id_block_log_index_pk" PRIMARY KEY("chain_id","block","log_index")
);
--> statement-breakpoint
CREATE TABLE "vault_state" (
	"chain_id" bigint NOT NULL,
	"block" bigint NOT NULL,
	"log_index" integer NOT NULL,
	"product" text NOT NULL,
	"time" bigint NOT NULL,
	"supply" numeric(78, 0) NOT NULL,
	"settled" numeric(78, 0) NOT NULL,
	"streaming" numeric(78, 0) NOT NULL,
	"stream_start" bigint NOT NULL,
	"stream_end" bigint NOT NULL,
	"cap" numeric(78, 0) NOT NULL,
	"min_deposit" numeric(78, 0) NOT NULL,
	"paused_until" bigint NOT NULL,
	"vesting_time" bigint NOT NULL,
	"max_report_age" bigint NOT NULL,
	"report_as_of" bigint NOT NULL,
	"report_time" bigint,
	"deposited" numeric(78, 0) NOT NULL,
	"withdrawn" numeric(78, 0) NOT NULL,
	"holders" integer NOT NULL,
	CONSTRAINT "vault_state_chain_id_block_log_index_pk" PRIMARY KEY("chain_id","block","log_index")
);
--> statement-breakpoint
CREATE TABLE "pending_transaction" (
	"chain_id" bigint NOT NULL,
	"hash" text NOT NULL,
	"address" text NOT NULL,
	"kind" text NOT NULL,
	"short_id" text,
	"amount" text,
	"description" text NOT NULL,
	"status" text NOT NULL,
	"verified" boolean NOT NULL,
	"nonce" bigint,
	"create_time" bigint NOT NULL,
	CONSTRAINT "pending_transaction_chain_id_hash_pk" PRIMARY KEY("chain_id","hash")
);
--> statement-breakpoint
CREATE INDEX "account_wallet_of_account" ON "account_wallet" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "identity_record_latest" ON "identity_record" USING btree ("chain_id","wallet","block","log_index");--> statement-breakpoint
CREATE INDEX "movement_of_wallet" ON "movement" USING btree ("wallet","time","block","log_index");--> statement-breakpoint
CREATE INDEX "movement_of_product" ON "movement" USING btree ("chain_id","product","time","block","log_index");--> statement-breakpoint
CREATE INDEX "movement_hash" ON "movement" USING btree ("chain_id","hash");--> statement-breakpoint
CREATE INDEX "position_at" ON "position" USING btree ("wallet","chain_id","product","time","block","log_index");--> statement-breakpoint
CREATE INDEX "product_short_id" ON "product" USING btree ("short_id");--> statement-breakpoint
CREATE INDEX "product_block" ON "product" USING btree ("chain_id","block");--> statement-breakpoint
CREATE INDEX "product_state_latest" ON "product_state" USING btree ("chain_id","product","block","log_index");--> statement-breakpoint
CREATE INDEX "report_of_product" ON "report" USING btree ("chain_id","product","time");--> statement-breakpoint
CREATE INDEX "vault_state_at" ON "vault_state" USING btree ("chain_id","product","time","block","log_index");--> statement-breakpoint
CREATE INDEX "pending_transaction_of_wallet" ON "pending_transaction" USING btree ("address","create_time");