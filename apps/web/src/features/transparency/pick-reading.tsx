import { useState } from "react";
import { t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { SelectField } from "../../ui/select-field.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useDeviceReadings } from "../readings/device-readings.ts";
import { useDevices } from "../readings/devices.ts";
import { figureText, momentText } from "../readings/reading-text.ts";
import type { ProofSource } from "../readings/verify.tsx";
import { useFleet } from "./fleet.ts";

type Pick = (source: ProofSource) => void;

/** The number of anchored readings to choose from. */
const offered = 50;

function Reading({ shortId, device, onPick }: { shortId: string; device: string; onPick: Pick }) {
  const readings = useDeviceReadings(shortId, device);
  const [chosen, setChosen] = useState("");
  if (readings.data === undefined)
    return readings.isError ? (
      <ErrorState
        title={t("readings.latest.failed")}
        error={readings.error}
        busy={readings.isFetching}
        onRetry={() => readings.refetch()}
      />
    ) : (
      <Skeleton className="h-16" />
    );
  const anchored = readings.data.filter((reading) => reading.anchored).slice(0, offered);
  const picked = anchored.find((reading) => String(reading.seq) === chosen) ?? anchored[0];
  if (!picked) return <p className="text-14 text-muted">{t("evidence.verify.noneAnchored")}</p>;
  return (
    <div className="flex flex-col gap-4">
      <SelectField
        label={t("readings.value")}
        value={String(picked.seq)}
        onChange={setChosen}
        options={anchored.map((reading) => ({
          value: String(reading.seq),
          label: `${momentText(reading.time)} · ${figureText(reading.value, reading.unit)}`,
        }))}
      />
      <div>
        <Button
          onClick={() => {
            // Stores the choice, so that newer readings do not change which reading is shown as checked below.
            setChosen(String(picked.seq));
            onPick({ ...picked, shortId });
          }}
        >
          {t("readings.verify")}
        </Button>
      </div>
    </div>
  );
}

function Device({ shortId, onPick }: { shortId: string; onPick: Pick }) {
  const devices = useDevices(shortId);
  const [chosen, setChosen] = useState("");
  if (devices.data === undefined)
    return devices.isError ? (
      <ErrorState
        title={t("readings.devices.failed")}
        error={devices.error}
        busy={devices.isFetching}
        onRetry={() => devices.refetch()}
      />
    ) : (
      <Skeleton className="h-16" />
    );
  const device = devices.data.find(({ name }) => name === chosen) ?? devices.data[0];
  if (!device) return <p className="text-14 text-muted">{t("readings.devices.empty")}</p>;
  return (
    <>
      <SelectField
        label={t("readings.device")}
        value={device.name}
        onChange={setChosen}
        options={devices.data.map(({ name, place }) => ({ value: name, label: `${place} (${name})` }))}
      />
      <Reading key={device.name} shortId={shortId} device={device.name} onPick={onPick} />
    </>
  );
}

/** Chooses product, device and then one of its anchored readings. */
export function PickReading({ onPick }: { onPick: Pick }) {
  const fleet = useFleet();
  const [chosen, setChosen] = useState("");
  if (fleet.data === undefined)
    return fleet.isError ? (
      <ErrorState error={fleet.error} busy={fleet.isFetching} onRetry={() => fleet.refetch()} />
    ) : (
      <Skeleton className="h-16" />
    );
  const { feeds } = fleet.data;
  const product = feeds.find(({ short_id }) => short_id === chosen) ?? feeds[0];
  if (!product) return <p className="text-14 text-muted">{t("evidence.verify.nothing")}</p>;
  return (
    <div className="grid max-w-160 gap-4">
      <SelectField
        label={t("products.tx.product")}
        value={product.short_id}
        onChange={setChosen}
        options={feeds.map(({ short_id, name }) => ({ value: short_id, label: name }))}
      />
      <Device key={product.short_id} shortId={product.short_id} onPick={onPick} />
    </div>
  );
}
