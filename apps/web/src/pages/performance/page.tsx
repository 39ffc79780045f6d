export default function Page() {
  return <h1 className="page py-10 text-28">performance</h1>;
}
