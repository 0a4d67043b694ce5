import type { Stack } from "aws-cdk-lib";
import { CfnBudget } from "aws-cdk-lib/aws-budgets";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import { runbookPage } from "./runbooks.ts";

/**
 * A monthly budget of the whole account, which notifies the topic of the alarms when four fifths are spent, or when the
 * forecast for the month exceeds the budget. AWS updates its figures up to three times a day.
 *
 * @param amount USD a month
 */
export function addBudget(stack: Stack, amount: number, { topicArn }: ITopic): void {
  const notifies = (notificationType: "ACTUAL" | "FORECASTED", percent: number) => ({
    notification: {
      notificationType,
      comparisonOperator: "GREATER_THAN",
      threshold: percent,
      thresholdType: "PERCENTAGE",
    },
    subscribers: [{ subscriptionType: "SNS", address: topicArn }],
  });
  new CfnBudget(stack, "Budget", {
    budget: {
      // The budget's name refers to the runbook, because the notification contains nothing else. AWS allows neither a
      // colon nor a backslash in the name.
      budgetName: `${stack.stackName} ${runbookPage}#budget-exceeded`,
      budgetType: "COST",
      timeUnit: "MONTHLY",
      budgetLimit: { amount, unit: "USD" },
    },
    notificationsWithSubscribers: [notifies("ACTUAL", 80), notifies("FORECASTED", 100)],
  });
}
