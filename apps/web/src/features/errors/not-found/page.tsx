import { NotFound } from "../../features/errors/not-found.tsx";

export default function NotFoundPage() {
  return <NotFound />;
}
