/** What using pages has taught about the pages to come. */
import { ActionMemory } from './action-memory.ts';
import { TemplateMemory } from './template-memory.ts';

export class InteractionMemory {
  readonly templates: TemplateMemory = new TemplateMemory();
  readonly actions: ActionMemory = new ActionMemory();
}
