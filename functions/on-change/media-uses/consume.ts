import type { SQSEvent } from "aws-lambda";
import { mediaItemsIn } from "#shared/domain/media-item.ts";
import { AnyItem, addMediaUse, removeMediaUse } from "#shared/storage/media.ts";
import { MediaUsesMessage } from "../media-uses-message.ts";
import type { Deps } from "./deps.ts";

/**
 * Keeps what shows which picture. Safe to repeat and to be late: each message brings its rows up to what the item says
 * now, and messages about one item are of one ordered group, so that no two of them work side by side.
 */
export async function consume({ Records }: SQSEvent, { table }: Deps): Promise<void> {
  for (const { body } of Records) {
    const { pk, sk, media, shown_by } = MediaUsesMessage.parse(JSON.parse(body));
    const shown = mediaItemsIn(await table.get(AnyItem, { pk, sk }));
    await Promise.all(
      media.map((id) =>
        table.write(shown.has(id) ? addMediaUse(id, pk, shown_by) : removeMediaUse(id, pk)),
      ),
    );
  }
}
