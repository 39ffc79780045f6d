CREATE TABLE "device_interval" (
	"device" integer NOT NULL,
	"since" bigint NOT NULL,
	"interval" bigint NOT NULL,
	CONSTRAINT "device_interval_device_since_pk" PRIMARY KEY("device","since")
);
