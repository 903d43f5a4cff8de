// What this browser keeps: preferences for good, the key for this tab alone. Storage may be forbidden; then nothing is kept.

export const kept = keeper(() => localStorage);
export const keptForTab = keeper(() => sessionStorage);

function keeper(storage) {
  const memory = new Map();
  return {
    get(name) {
      try {
        return storage().getItem(`rootproof.${name}`);
      } catch {
        return memory.get(name) ?? null;
      }
    },
    set(name, value) {
      try {
        if (value === null) storage().removeItem(`rootproof.${name}`);
        else storage().setItem(`rootproof.${name}`, value);
      } catch {
        if (value === null) memory.delete(name);
        else memory.set(name, value);
      }
    },
  };
}
