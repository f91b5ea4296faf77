import { handleAuth } from "../../../../server/auth/handle-auth.ts";

export const dynamic = "force-dynamic";
export { handleAuth as GET, handleAuth as POST };
