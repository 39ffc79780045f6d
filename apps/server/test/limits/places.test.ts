import { expect, it } from "vitest";
import { networkOf, networksOf } from "../../src/limits/network.ts";
import { createPlaces } from "../../src/limits/places.ts";

it.each([
  ["192.0.2.7", ["192.0.2.7"]],
  ["::ffff:192.0.2.7", ["192.0.2.7"]],
  ["2001:db8:1:2::1", ["2001:db8:1:2", "2001:db8:1::/48"]],
  ["2001:db8:1::", ["2001:db8:1:0", "2001:db8:1::/48"]],
  ["::1", ["0:0:0:0", "0:0:0::/48"]],
])("networksOf counts %s under %o", (ip, networks) => {
  expect(networksOf(ip)).toEqual(networks);
  expect(networkOf(ip)).toBe(networks[0]);
});

it("Places limit a network, the site of its networks, and the total", () => {
  const places = createPlaces({ perNetwork: 2, perSite: 3, total: 4 });
  const take = (ip: string) => places.take(networksOf(ip));
  const first = take("2001:db8:1:1::1");
  expect(first).not.toBeNull();
  expect(take("2001:db8:1:1::2")).not.toBeNull();
  expect(take("2001:db8:1:1::3")).toBeNull();
  expect(take("2001:db8:1:2::1")).not.toBeNull();
  expect(take("2001:db8:1:3::1")).toBeNull();
  expect(take("192.0.2.1")).not.toBeNull();
  expect(take("192.0.2.2")).toBeNull();
  first?.();
  first?.();
  expect(places.total).toBe(3);
  expect(take("2001:db8:1:3::1")).not.toBeNull();
  expect(take("192.0.2.2")).toBeNull();
});

it("Places store no entry for callers that hold none", () => {
  const places = createPlaces({ perNetwork: 2 });
  places.take(["a"], 2)?.();
  expect([places.of("a"), places.total]).toEqual([0, 0]);
});
