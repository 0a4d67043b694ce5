/** A route in API Gateway's syntax: segments may be `{name}`, the last one `{name+}`. */
export interface RoutePattern {
  readonly method: string;
  readonly path: string;
}

export interface RouteMatch<Route> {
  readonly route: Route;
  /** Decoded values; undefined if the path has no parameters. */
  readonly params: Record<string, string> | undefined;
}

interface Leaf<Route> {
  readonly route: Route;
  readonly names: readonly string[];
}

interface Branch<Route> {
  readonly fixed: Map<string, Branch<Route>>;
  variable: Branch<Route> | undefined;
  /** Routes that end at this segment, by method. */
  readonly leaves: Map<string, Leaf<Route>>;
  readonly greedy: Map<string, Leaf<Route>>;
}

const branch = <Route>(): Branch<Route> => ({
  fixed: new Map(),
  variable: undefined,
  leaves: new Map(),
  greedy: new Map(),
});

/**
 * Matches routes by API Gateway's precedence: a static segment before `{name}`, and `{name}` before `{name+}`. Routes
 * with another method are ignored, so `PUT /a/{id}` handles `PUT /a/b` although `GET /a/b` exists.
 */
export function routeTable<Route extends RoutePattern>(routes: readonly Route[]) {
  const root = branch<Route>();
  for (const route of routes) plant(root, route);

  /** @param segments decoded segments of the path */
  return function match(
    method: string,
    segments: readonly string[],
  ): RouteMatch<Route> | undefined {
    const values: string[] = [];
    const leaf =
      find(root, { method, segments, values, greedily: false }, 0) ??
      find(root, { method, segments, values, greedily: true }, 0);
    return leaf && { route: leaf.route, params: named(leaf.names, values) };
  };
}

function plant<Route extends RoutePattern>(root: Branch<Route>, route: Route): void {
  const names: string[] = [];
  let at = root;
  for (const segment of route.path.slice(1).split("/")) {
    if (segment.endsWith("+}")) {
      names.push(segment.slice(1, -2));
      at.greedy.set(route.method, { route, names });
      return;
    }
    if (segment.startsWith("{")) {
      names.push(segment.slice(1, -1));
      at = at.variable ??= branch();
    } else {
      let next = at.fixed.get(segment);
      if (!next) at.fixed.set(segment, (next = branch()));
      at = next;
    }
  }
  at.leaves.set(route.method, { route, names });
}

interface Search {
  readonly method: string;
  readonly segments: readonly string[];
  /** The values of the parameters that were matched so far. */
  readonly values: string[];
  readonly greedily: boolean;
}

function find<Route>(at: Branch<Route>, search: Search, depth: number): Leaf<Route> | undefined {
  const { method, segments, values, greedily } = search;
  const segment = segments[depth];
  if (segment === undefined) return at.leaves.get(method) ?? at.leaves.get("ANY");

  const fixed = at.fixed.get(segment);
  const leaf = fixed && find(fixed, search, depth + 1);
  if (leaf) return leaf;

  if (at.variable && segment !== "") {
    values.push(segment);
    const below = find(at.variable, search, depth + 1);
    if (below) return below;
    values.pop();
  }

  const rest = greedily ? (at.greedy.get(method) ?? at.greedy.get("ANY")) : undefined;
  if (rest) values.push(segments.slice(depth).join("/"));
  return rest;
}

function named(
  names: readonly string[],
  values: readonly string[],
): Record<string, string> | undefined {
  if (names.length === 0) return undefined;
  const params: Record<string, string> = {};
  for (let i = 0; i < names.length; i++) params[names[i] as string] = values[i] as string;
  return params;
}
