/*
 * Constants that take work to make, read in every way that a module can read them, beside others of the same names.
 */

const made: string[] = [];
function note(name: string): string {
  made.push(name);
  return name;
}

const chair = note("chair");
const table = note("table");
const room = { chair, table: [table] };
export const unread = note("unread");
const Bench = note("bench");

const ofParameter = (chair: string) => ({ chair });
const ofPattern = ({ table, ...others }: Record<string, string>, [chair = Bench]: string[]) => ({
  table,
  chair,
  others,
});
function ofBlocks() {
  const read: string[] = [];
  {
    const table = "block";
    read.push(table);
  }
  for (const table of ["loop"]) read.push(table);
  try {
    throw new Error("caught");
  } catch (table) {
    read.push((table as Error).message);
  }
  function chair() {
    return "function";
  }
  class Chair {
    table = table;
    static chair() {
      return chair();
    }
  }
  return [...read, new Chair().table, Chair.chair()];
}

export function handler(): object {
  const atImport = [...made];
  const read = {
    room,
    chair,
    again: `${chair} and ${room.chair}`,
    member: { chair: "member" }.chair,
    ofParameter: ofParameter("parameter"),
    ofPattern: ofPattern({ table: "pattern", chair: "other" }, []),
    ofBlocks: ofBlocks(),
  };
  return { atImport, read, made };
}
