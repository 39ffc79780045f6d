export interface ToastMessage {
  id: number;
  title: string;
  description?: string;
  look?: "info" | "success" | "error";
}
