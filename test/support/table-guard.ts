import { once } from "node:events";
import { type IncomingMessage, createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** What a function asks of the table, as IAM sees it. */
export interface TableUse {
  readonly action: string;
  /** Of the table, or of the index that is queried. */
  readonly partitions: readonly string[];
  readonly index: string | undefined;
}

type Attributes = Record<string, { S?: string }>;
interface Named {
  Key?: Attributes;
  Item?: Attributes;
}
interface Request extends Named {
  IndexName?: string;
  KeyConditionExpression?: string;
  ExpressionAttributeValues?: Attributes;
  RequestItems?: Record<string, { Keys: Attributes[] } | Record<string, Named>[]>;
  TransactItems?: Record<string, Named>[];
}

const inTransactions: Record<string, string> = {
  Put: "PutItem",
  Update: "UpdateItem",
  Delete: "DeleteItem",
  ConditionCheck: "ConditionCheckItem",
};

/** A transaction needs what each of its writes would need alone. */
function usesOf(operation: string, request: Request): TableUse[] {
  const { RequestItems, TransactItems, IndexName: index } = request;
  const partition = ({ Key, Item }: Named) => (Key ?? Item)?.["pk"]?.S ?? "?";
  if (TransactItems) {
    return TransactItems.flatMap((item) =>
      Object.entries(item).map(([kind, named]) => ({
        action: inTransactions[kind] ?? kind,
        partitions: [partition(named)],
        index,
      })),
    );
  }
  if (RequestItems) {
    const named = Object.values(RequestItems).flatMap((of): Named[] =>
      "Keys" in of ? of.Keys.map((Key) => ({ Key })) : of.flatMap((each) => Object.values(each)),
    );
    return [{ action: operation, partitions: named.map(partition), index }];
  }
  const [, asked = ""] = /= (:\w+)/.exec(request.KeyConditionExpression ?? "") ?? [];
  const queried = request.ExpressionAttributeValues?.[asked]?.S;
  return [{ action: operation, partitions: [queried ?? partition(request)], index }];
}

export interface TableGuard {
  /** Where a function finds the table. */
  endpointFor(name: string): string;
  stop(): Promise<void>;
}

/**
 * Stands before a DynamoDB and sees who asks what. Everything passes.
 *
 * @param target tells its address at every call
 */
export async function startTableGuard(
  target: () => string,
  see: (name: string, use: TableUse) => void,
): Promise<TableGuard> {
  const server = createServer((incoming, outgoing) => {
    pass().catch(() => incoming.socket.destroy());

    async function pass(): Promise<void> {
      const body = await buffer(incoming);
      const [, name = ""] = (incoming.url ?? "").split("/");
      const [, operation = ""] = String(incoming.headers["x-amz-target"]).split(".");
      for (const use of usesOf(operation, JSON.parse(body.toString()) as Request)) see(name, use);
      const to = new URL(target());
      const call = send(to, { method: "POST", headers: { ...incoming.headers, host: to.host } });
      call.end(body);
      const [answer] = (await once(call, "response")) as [IncomingMessage];
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(await buffer(answer));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    endpointFor: (name) => `${base}/${name}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
