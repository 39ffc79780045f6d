CREATE TABLE "evidence_notice" (
	"chain_id" bigint NOT NULL,
	"product" text NOT NULL,
	"hash" text NOT NULL,
	"expires" text NOT NULL,
	"days" integer NOT NULL,
	"time" bigint NOT NULL,
	CONSTRAINT "evidence_notice_chain_id_product_hash_expires_pk" PRIMARY KEY("chain_id","product","hash","expires")
);
