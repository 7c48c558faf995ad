import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { boundAnswer } from '../bound-answer.ts'
import { type CallSalus, SalusRefusal } from '../salus-call.ts'

/** What the tools of one connection work with. */
export interface ToolContext {
  call: CallSalus
  /** The one person that the credential reaches; null is everybody of the environment. */
  userId: string | null
}

export interface Tool<Input> {
  name: string
  title: string
  description: string
  /** Beside the person. */
  input: Record<string, z.ZodType>
  /** It is about one person, who is named unless the credential reaches nobody else. */
  isAboutPerson: boolean
  answer: (call: CallSalus, input: Input & { user_id: string }) => Promise<unknown>
}

/** Only gives `input` its type. */
export function defineTool<Shape extends Record<string, z.ZodType>>(
  tool: Omit<Tool<never>, 'input' | 'answer'> & {
    input: Shape
    answer: (
      call: CallSalus,
      input: z.infer<z.ZodObject<Shape>> & { user_id: string },
    ) => Promise<unknown>
  },
): Tool<Record<string, unknown>> {
  return tool as unknown as Tool<Record<string, unknown>>
}

const UserId = z.uuid().describe('Id of the person; find_people tells it.')

/** Nothing that these tools do changes anything, and what they tell is in Salus alone. */
const READ_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const

/**
 * Offers a tool to the assistant. Refusals of Salus are answered in their own words; of faults
 * nothing is told.
 */
export function addTool(
  server: McpServer,
  { call, userId }: ToolContext,
  tool: Tool<Record<string, unknown>>,
): void {
  const isNamed = tool.isAboutPerson && userId === null
  const inputSchema = z.strictObject({ ...(isNamed && { user_id: UserId }), ...tool.input })
  const { name, title, description } = tool
  server.registerTool(
    name,
    { title, description, inputSchema, annotations: { title, ...READ_ONLY } },
    async (input: Record<string, unknown>) => {
      try {
        const named = (userId ?? input.user_id ?? '') as string
        const answer = await tool.answer(call, { ...input, user_id: named })
        return { content: [{ type: 'text' as const, text: boundAnswer(answer) }] }
      } catch (error) {
        // What else goes wrong is a fault of the program, and nobody's data are in its message.
        const isRefused = error instanceof SalusRefusal
        const text = isRefused ? error.message : 'The tool failed inside Salus.'
        return { isError: true, content: [{ type: 'text' as const, text }] }
      }
    },
  )
}

export const DateText = z.iso.date().describe('YYYY-MM-DD, a day of the person')
