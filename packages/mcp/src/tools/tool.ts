import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { boundAnswer } from '../bound-answer.ts'
import { type CallSalus, SalusRefusal } from '../salus-call.ts'

/** Everything that the tools of one connection use. */
export interface ToolContext {
  call: CallSalus
  /** Id of the person to whom the credential is limited; null for everyone of the environment. */
  userId: string | null
}

export interface Tool<Input> {
  name: string
  title: string
  description: string
  /** Input beside the person. */
  input: Record<string, z.ZodType>
  /**
   * Whether the tool is about one person, who is an input unless the credential is limited to one.
   */
  isAboutPerson: boolean
  answer: (call: CallSalus, input: Input & { user_id: string }) => Promise<unknown>
}

/** Infers the type of `input`. */
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

const UserId = z.uuid().describe('Id of the person; find_people returns it.')

/** The tools change nothing, and read only data of Salus. */
const READ_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const

/**
 * Adds a tool to the server. Errors of Salus are returned in their own words; faults of the program
 * are not explained.
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
        // Any other error is a fault of the program, and its message contains no personal data.
        const isRefused = error instanceof SalusRefusal
        const text = isRefused ? error.message : 'The tool failed inside Salus.'
        return { isError: true, content: [{ type: 'text' as const, text }] }
      }
    },
  )
}

export const DateText = z.iso.date().describe('YYYY-MM-DD, a local day of the person')
