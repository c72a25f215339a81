/** A name or address of the machine itself. @param name as a URL has it: an IPv6 address in brackets */
export function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || /^127\./.test(name) || name === '[::1]';
}
