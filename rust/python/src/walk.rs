//! Walk: Python values onto the tape of a `PySource`, each checked. Mirrors `flags` of `apus._pure.source`.
//!
//! It keeps its own stack, and stops at the first fault in document order, as the scan of bytes does.

use apus_core::error::{Error, ErrorKind, Fault, Step};
use apus_core::source::Flags;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyMapping, PySequence, PyString, PyTuple};
use pyo3::types::{dict::BoundDictIterator, list::BoundListIterator};
use rustc_hash::FxHashMap;

use crate::errors::Failure;
use crate::numbers;
use crate::objects::{Entry, KEY, Key, NO_KEY, PyNode, PySource, Said, Value};
use crate::strings::flags_of;

impl<'py> PySource<'py> {
    /// A source without values.
    pub(crate) fn new(py: Python<'py>) -> Self {
        Self { py, tape: Vec::new(), keys: Vec::new() }
    }

    /// Read a value that nests at most `depth` levels deep. `path` is the way to it, for the error.
    pub(crate) fn read(&mut self, value: Bound<'py, PyAny>, depth: usize, path: &[Step]) -> Result<PyNode, Failure> {
        let root = PyNode(number(self.tape.len())?);
        let known = self.keys.iter().enumerate().map(|(at, key)| (key.object().as_ptr() as usize, at));
        let known = known.map(|(object, at)| Ok((object, number(at)?))).collect::<Result<_, Failure>>()?;
        let mut walk = Walk { source: self, known, around: Vec::with_capacity(16), depth };
        walk.run(value).map_err(|stop| match stop {
            Stop::Fault(fault) => Error::fault(&fault, &walk.path(path)).into(),
            Stop::Failure(failure) => failure,
        })?;
        Ok(root)
    }
}

/// Places on the tape, as the high bit of a `PyNode` leaves them.
fn number(at: usize) -> Result<u32, Failure> {
    match u32::try_from(at) {
        Ok(at) if at < KEY => Ok(at),
        _ => Err(Error::new(ErrorKind::Limit, format!("found more than {KEY} values, expected fewer")).into()),
    }
}

enum Stop {
    Fault(Fault),
    Failure(Failure),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<PyErr> for Stop {
    fn from(error: PyErr) -> Self {
        Self::Failure(error.into())
    }
}

/// What is left of a container.
enum Rest<'py> {
    Items(BoundListIterator<'py>),
    Entries(BoundDictIterator<'py>),
    /// The entries of a subclass of dict, which may say them in a way of its own.
    Pairs(BoundListIterator<'py>),
}

/// A container that is not yet closed.
struct Open<'py> {
    entry: u32,
    flags: Flags,
    /// How many items were read.
    count: usize,
    /// The last key that was read.
    key: u32,
    rest: Rest<'py>,
}

struct Walk<'w, 'py> {
    source: &'w mut PySource<'py>,
    /// Numbers of keys by address.
    known: FxHashMap<usize, u32>,
    around: Vec<Open<'py>>,
    depth: usize,
}

impl<'py> Walk<'_, 'py> {
    fn run(&mut self, root: Bound<'py, PyAny>) -> Result<(), Stop> {
        self.value(root, NO_KEY)?;
        while let Some(open) = self.around.last_mut() {
            let (value, key) = match &mut open.rest {
                Rest::Items(items) => (items.next(), None),
                Rest::Entries(entries) => entries.next().map_or((None, None), |(key, value)| (Some(value), Some(key))),
                Rest::Pairs(pairs) => match pairs.next() {
                    Some(pair) => pair.extract().map(|(key, value)| (Some(value), Some(key)))?,
                    None => (None, None),
                },
            };
            match value {
                Some(value) => self.child(value, key)?,
                None => self.close()?,
            }
        }
        Ok(())
    }

    #[inline]
    fn child(&mut self, value: Bound<'py, PyAny>, key: Option<Bound<'py, PyAny>>) -> Result<(), Stop> {
        let key = key.map_or(Ok(NO_KEY), |key| self.key(key))?;
        if let Some(open) = self.around.last_mut() {
            open.count += 1;
            open.key = key;
        }
        self.value(value, key)
    }

    /// The number of a key.
    #[inline]
    fn key(&mut self, key: Bound<'py, PyAny>) -> Result<u32, Stop> {
        let found = match self.known.get(&(key.as_ptr() as usize)) {
            Some(found) => *found,
            None => self.new_key(key)?,
        };
        let flags = self.source.keys[found as usize].flags;
        if let Some(open) = self.around.last_mut() {
            open.flags |= flags;
        }
        Ok(found)
    }

    fn new_key(&mut self, key: Bound<'py, PyAny>) -> Result<u32, Stop> {
        let Ok(object) = key.cast_into::<PyString>() else {
            // The fault is the dict's, not that of a value in it.
            self.leave_step();
            return Err(Stop::Fault(Fault::ForeignKey));
        };
        let address = object.as_ptr() as usize;
        let (said, mut flags) = match flags_of(&object)? {
            (flags, None) => (Said::Sound(object.clone(), object.to_str()?.into()), flags),
            (flags, Some(broken)) => (Said::Broken(broken), flags),
        };
        let made = Key { said, flags };
        if made.text().starts_with('_') {
            flags |= Flags::PRIVATE_KEY;
        }
        let found = number(self.source.keys.len())?;
        self.source.keys.push(Key { flags, ..made });
        self.known.insert(address, found);
        Ok(found)
    }

    fn leave_step(&mut self) {
        if let Some(open) = self.around.last_mut() {
            open.count = 0;
        }
    }

    /// Put a value on the tape; what stands in it comes next.
    #[inline]
    fn value(&mut self, value: Bound<'py, PyAny>, key: u32) -> Result<(), Stop> {
        let (value, flags) = match class_of(&value) {
            Some(Class::Text) => text_value(value)?,
            Some(Class::Null) => (Value::Null, Flags::NONE),
            Some(Class::Bool) => (Value::Bool(value.is_truthy()?), Flags::NONE),
            Some(Class::Int) => (int_value(value)?, Flags::NONE),
            Some(Class::Float) => (float_value(value)?, Flags::NONE),
            Some(Class::Array) => return self.open(Value::Array(value.clone()), items_of(value)?, key),
            Some(Class::Object) => return self.open(Value::Object(value.clone()), entries_of(value)?, key),
            None => return Err(Stop::Fault(Fault::ForeignType(value.get_type().name()?.to_string()))),
        };
        let next = number(self.source.tape.len())? + 1;
        self.source.tape.push(Entry { value, key, next, flags });
        if let Some(open) = self.around.last_mut() {
            open.flags |= flags;
        }
        Ok(())
    }

    fn open(&mut self, value: Value<'py>, rest: Rest<'py>, key: u32) -> Result<(), Stop> {
        if self.around.len() >= self.depth {
            return Err(Stop::Fault(Fault::Deep(self.depth)));
        }
        let entry = number(self.source.tape.len())?;
        self.source.tape.push(Entry { value, key, next: entry + 1, flags: Flags::NONE });
        self.around.push(Open { entry, flags: Flags::NONE, count: 0, key: NO_KEY, rest });
        Ok(())
    }

    fn close(&mut self) -> Result<(), Stop> {
        let Some(Open { entry, flags, .. }) = self.around.pop() else { return Ok(()) };
        let next = number(self.source.tape.len())?;
        let entry = &mut self.source.tape[entry as usize];
        entry.next = next;
        entry.flags = flags;
        if let Some(open) = self.around.last_mut() {
            open.flags |= flags;
        }
        Ok(())
    }

    /// The way to the value that was being read.
    fn path(&self, before: &[Step]) -> Vec<Step> {
        let step = |open: &Open<'_>| match (open.count.checked_sub(1)?, &open.rest) {
            (index, Rest::Items(_)) => Some(Step::Index(index)),
            _ => Some(Step::Key(self.source.keys.get(open.key as usize)?.text().to_owned())),
        };
        before.iter().cloned().chain(self.around.iter().filter_map(step)).collect()
    }
}

enum Class {
    Null,
    Bool,
    Int,
    Float,
    Text,
    Array,
    Object,
}

/// What a value is: by its own class, which costs a comparison, or by one that it derives from.
#[inline]
fn class_of(value: &Bound<'_, PyAny>) -> Option<Class> {
    if value.is_exact_instance_of::<PyString>() {
        Some(Class::Text)
    } else if value.is_exact_instance_of::<PyDict>() {
        Some(Class::Object)
    } else if value.is_exact_instance_of::<PyList>() {
        Some(Class::Array)
    } else if value.is_none() {
        Some(Class::Null)
    } else if value.is_exact_instance_of::<PyBool>() {
        Some(Class::Bool)
    } else {
        other_class_of(value)
    }
}

fn other_class_of(value: &Bound<'_, PyAny>) -> Option<Class> {
    if value.is_instance_of::<PyInt>() {
        Some(Class::Int)
    } else if value.is_instance_of::<PyFloat>() {
        Some(Class::Float)
    } else if value.is_instance_of::<PyString>() {
        Some(Class::Text)
    } else if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        Some(Class::Array)
    } else if value.is_instance_of::<PyDict>() {
        Some(Class::Object)
    } else {
        None
    }
}

fn foreign(_: pyo3::CastIntoError<'_>) -> Stop {
    Stop::Fault(Fault::Value)
}

fn text_value(value: Bound<'_, PyAny>) -> Result<(Value<'_>, Flags), Stop> {
    let text = value.cast_into::<PyString>().map_err(foreign)?;
    Ok(match flags_of(&text)? {
        (flags, None) => (Value::Text(text), flags),
        (flags, Some(broken)) => (Value::Broken(broken), flags),
    })
}

fn int_value(value: Bound<'_, PyAny>) -> Result<Value<'_>, Stop> {
    let value = value.cast_into::<PyInt>().map_err(foreign)?;
    if numbers::is_too_long(&value)? { Err(Stop::Fault(Fault::HugeInteger)) } else { Ok(Value::Int(value)) }
}

fn float_value(value: Bound<'_, PyAny>) -> Result<Value<'_>, Stop> {
    let value = value.cast_into::<PyFloat>().map_err(foreign)?;
    if value.value().is_finite() { Ok(Value::Float(value)) } else { Err(Stop::Fault(Fault::Constant)) }
}

fn items_of(value: Bound<'_, PyAny>) -> Result<Rest<'_>, Stop> {
    let list = if value.is_exact_instance_of::<PyList>() {
        value.cast_into::<PyList>().map_err(foreign)?
    } else {
        value.cast_into::<PySequence>().map_err(foreign)?.to_list()?
    };
    Ok(Rest::Items(list.into_iter()))
}

fn entries_of(value: Bound<'_, PyAny>) -> Result<Rest<'_>, Stop> {
    if value.is_exact_instance_of::<PyDict>() {
        return Ok(Rest::Entries(value.cast_into::<PyDict>().map_err(foreign)?.into_iter()));
    }
    Ok(Rest::Pairs(value.cast_into::<PyMapping>().map_err(foreign)?.items()?.into_iter()))
}
