import { expect, test } from "vitest";
import { AppError, invalidFields } from "#shared/domain/request/app-error.ts";

test("an error says each sentence once per path", () => {
  const problem = { path: "parent_id", message: "A category cannot be below itself." };
  const errors = { parent_id: [problem.message], slug: [problem.message] };
  expect(invalidFields([problem, problem, { ...problem, path: "slug" }]).refusal.errors).toEqual(
    errors,
  );
  const twice = { parent_id: [problem.message, problem.message], slug: [problem.message] };
  expect(new AppError("validation_failed", { errors: twice }).refusal.errors).toEqual(errors);
});
