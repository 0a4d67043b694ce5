// Runs Vendure for the bench "peers", in the folder in which it is installed. `node server.mjs seed <products.csv>
// <database>` makes a shop, and `npm start` serves the one in `served.sqlite`. It is configured as Vendure's own
// template does it, but the jobs run in the server's process: two processes would often find SQLite's file locked.
import { setTimeout as pause } from "node:timers/promises";
import {
  DefaultJobQueuePlugin,
  DefaultLogger,
  DefaultSearchPlugin,
  JobQueueService,
  LogLevel,
  TransactionalConnection,
  bootstrap,
  dummyPaymentHandler,
} from "@vendure/core";
import { populate } from "@vendure/core/cli/index.js";

const [task, csv, database = "served.sqlite"] = process.argv.slice(2);
const isSeeding = task === "seed";
const port = Number(process.env.PORT);

const config = {
  apiOptions: { hostname: "127.0.0.1", port, shopApiPath: "shop-api", adminApiPath: "admin-api" },
  authOptions: {
    tokenMethod: "bearer",
    superadminCredentials: { identifier: "owner", password: "owner-bench-password" },
    cookieOptions: { secret: "bench" },
  },
  dbConnectionOptions: {
    type: "better-sqlite3",
    database,
    synchronize: isSeeding,
    // Faster than the template's journal.
    enableWAL: true,
  },
  paymentOptions: { paymentMethodHandlers: [dummyPaymentHandler] },
  logger: new DefaultLogger({ level: LogLevel.Error }),
  plugins: [
    DefaultJobQueuePlugin.init({
      useDatabaseForBuffer: true,
      ...(isSeeding && { pollInterval: 5 }),
    }),
    DefaultSearchPlugin.init({ bufferUpdates: false, indexStockStatus: true }),
  ],
};

const initialData = {
  defaultLanguage: "en",
  defaultZone: "Asia",
  countries: [{ name: "India", code: "IN", zone: "Asia" }],
  taxRates: [{ name: "GST", percentage: 18 }],
  shippingMethods: [{ name: "Standard", price: 50_000 }],
  paymentMethods: [
    {
      name: "Transfer",
      handler: {
        code: dummyPaymentHandler.code,
        arguments: [{ name: "automaticSettle", value: "true" }],
      },
    },
  ],
  collections: [],
};

if (isSeeding) {
  const app = await populate(() => bootstrap(config), initialData, csv);
  await app.get(JobQueueService).start();
  await settled(app);
  await app.close();
  process.exit(0);
}

const app = await bootstrap(config);
await app.get(JobQueueService).start();
process.on("message", async () => {
  await settled(app);
  const { user, system } = process.cpuUsage();
  process.send({
    cpuSeconds: (user + system) / 1e6,
    emulatorSeconds: 0,
    answeringSeconds: 0,
    consumerSeconds: 0,
    residentMb: process.memoryUsage().rss / 2 ** 20,
  });
});
process.on("disconnect", () => process.exit(0));
process.send?.({ baseUrl: `http://127.0.0.1:${port}` });
console.log("Ready");

/** Waits until no job is left. */
async function settled(app) {
  const { rawConnection } = app.get(TransactionalConnection);
  for (;;) {
    const sql = 'SELECT COUNT(*) AS jobs FROM job_record WHERE "isSettled" = 0';
    const [{ jobs }] = await rawConnection.query(sql);
    if (Number(jobs) === 0) return;
    await pause(100);
  }
}
